/**
 * Every word the elements say. Views hold keys, never prose; a language is one object of this type, so a missing
 * sentence is a type error. Counts come in as numbers and are worded by `plural`; durations, sizes and dates come in
 * already formatted. Text from a host is passed through and stands between isolates where it is shown, not here.
 */

/** A sentence about `count` things. */
export type Counted = (count: number) => string;
/** A sentence around one piece of text. */
export type Around = (text: string) => string;

export interface Strings {
  /* composer */
  readonly message: string;
  readonly placeholder: string;
  readonly send: string;
  readonly queueMessage: string;
  readonly steerMessage: string;
  readonly stop: string;
  readonly stopping: string;
  readonly composerTools: string;
  readonly model: string;
  readonly modelDefault: string;
  readonly agent: string;
  readonly agentDefault: string;
  readonly notOffered: Around;
  readonly modelSettings: Around;
  readonly settingDefault: string;
  readonly settingUnknown: string;
  readonly useDefaults: string;
  readonly attachments: string;
  readonly removeNamed: Around;
  readonly offerDraft: string;
  readonly offerDraftText: Around;
  readonly useDraft: string;
  readonly dismiss: string;
  readonly refusedBack: Around;
  readonly refusedChange: Around;
  readonly takenBack: string;
  readonly cutBack: string;

  readonly suggestions: string;
  readonly suggestionsCount: Counted;
  readonly suggestionsFailed: string;
  readonly suggestionTaken: Around;
  readonly attachmentGone: Around;
  readonly commandHint: string;

  /* queue */
  readonly queue: string;
  readonly steering: string;
  readonly queued: string;
  readonly steeringHint: string;
  readonly filesCount: Counted;
  readonly editNamed: Around;
  readonly changedElsewhere: string;
  readonly sentAsItWas: string;
  readonly moveNamed: (name: string, place: number, count: number) => string;
  readonly moveUp: string;
  readonly moveDown: string;
  readonly movedToPlace: (place: number, count: number) => string;

  /* status */
  readonly offline: string;
  /** The same where what is written would not outlive the page. */
  readonly offlineNotKept: string;
  readonly connecting: string;
  readonly reconnectingIn: Around;
  readonly reconnectNow: string;
  readonly failed: Around;
  readonly failedVersions: (ours: string, theirs: string) => string;
  readonly failedGone: string;
  readonly tryAgain: string;
  readonly notKept: string;
  readonly notKeptWhy: {
    readonly memory: string;
    readonly 'no-chat': string;
    readonly 'no-storage': string;
    readonly 'storage-failed': string;
    readonly quota: string;
    readonly 'newer-version': string;
    readonly blocked: string;
    readonly cleared: string;
  };
  readonly stalled: string;
  readonly unconfirmed: string;
  readonly unconfirmedMessage: Around;
  readonly unconfirmedQueued: Around;
  readonly unconfirmedAnswer: string;
  readonly unconfirmedStop: string;
  readonly unconfirmedOther: string;
  readonly retry: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly discard: string;

  /* transcript */
  readonly transcript: string;
  readonly showOlder: string;
  readonly loadingOlder: string;
  readonly earlierParts: (count: number) => string;
  readonly olderNotPrinted: string;
  readonly jumpToEnd: string;
  readonly jumpToNew: string;
  readonly working: string;
  readonly waitingForYou: string;
  readonly showRequest: string;
  readonly turnOfYou: string;
  readonly turnOfAgent: string;
  readonly turnOfTool: string;
  readonly turnOfAutomation: string;
  readonly turnOfSystem: string;
  readonly turnOfOther: string;
  readonly sending: string;
  readonly showAll: string;
  readonly showLess: string;
  readonly turnCancelled: string;
  readonly turnFailed: string;
  readonly copyMarkdown: string;
  readonly tokens: (input: string, output: string) => string;
  readonly resume: string;
  readonly details: string;

  /* turns */
  readonly turnActions: string;
  readonly copyTurn: string;
  readonly editMessage: string;
  readonly sendAgain: string;
  readonly editReplaces: string;
  readonly editRemoves: Counted;
  readonly fork: string;
  readonly sideChat: string;
  readonly askInSideChat: string;
  readonly tokensCached: Around;
  readonly didNotWork: Around;
  readonly forkedFrom: string;
  readonly besideChat: string;
  readonly workerOf: string;
  readonly otherChat: string;
  readonly archivedChat: string;
  readonly backgroundWork: Counted;
  readonly unarchive: string;

  /* list of chats */
  readonly chatList: string;
  readonly newChat: string;
  readonly untitled: string;
  readonly unread: string;
  readonly readOnlyChat: string;
  readonly listEmpty: string;
  readonly listOffline: string;
  readonly listFailed: string;
  readonly archived: string;
  readonly archivedCount: Counted;
  readonly rename: string;
  readonly titleOf: Around;
  readonly archive: string;
  readonly delete: string;
  readonly deleteAsk: Around;
  readonly keep: string;
  readonly actionOn: (action: string, title: string) => string;

  /* attachments */
  readonly kindImage: string;
  readonly kindDocument: string;
  readonly kindDirectory: string;
  readonly kindSymbol: string;
  readonly kindSelection: string;
  readonly kindElement: string;
  readonly kindAnnotations: string;
  readonly kindChat: string;
  readonly kindCollection: string;
  readonly kindFile: string;
  readonly piecesCount: Counted;
  readonly showPieces: Around;

  /* response parts */
  readonly thinking: string;
  readonly thought: string;
  readonly thoughtFor: Around;
  readonly unknownPart: Around;
  readonly content: string;
  readonly open: string;
  readonly openNamed: Around;
  readonly load: string;
  readonly loading: string;
  readonly loadFailed: string;
  readonly save: string;
  readonly saveNamed: Around;
  readonly noPreview: string;

  /* content of tools */
  readonly contentGone: string;
  readonly contentTooLarge: string;
  readonly contentDenied: string;
  readonly contentBroken: string;
  readonly askAccess: string;
  readonly showAllOf: Around;
  readonly leftOut: Around;
  readonly endOf: Around;
  readonly copyAll: string;
  readonly terminalLive: string;
  readonly terminalEnded: string;
  readonly terminalGone: string;
  readonly noOutput: string;
  readonly showWholeOutput: string;
  readonly workerRunning: string;
  readonly workerNeedsInput: string;
  readonly workerFailed: string;
  readonly workerDone: string;
  readonly workerGone: string;
  readonly workerAbove: string;
  readonly workerTooDeep: string;
  readonly openChat: string;
  readonly openChatNamed: Around;
  readonly conversationOf: Around;

  /* Markdown */
  readonly code: string;
  readonly codeIn: Around;
  readonly table: string;
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly opensInNewTab: string;
  readonly loadPicture: (description: string, host: string) => string;

  /* tool calls */
  readonly toolPreparing: Around;
  readonly toolPending: string;
  readonly toolRunning: string;
  readonly toolRunningElsewhere: string;
  readonly toolDone: string;
  readonly toolFailed: string;
  readonly toolDenied: string;
  readonly toolDeniedByYou: string;
  readonly toolDeniedElsewhere: string;
  readonly toolCancelled: string;
  readonly toolSkipped: string;
  readonly toolResultDenied: string;
  readonly toolResultDeniedByYou: string;
  readonly toolResultDeniedElsewhere: string;
  readonly toolUnknown: Around;
  readonly toolsDone: Counted;
  readonly toolTimes: (name: string, count: number) => string;
  readonly input: string;
  readonly output: string;
  readonly noInput: string;
  readonly error: string;
  readonly errorCode: Around;
  readonly suggestion: string;
  readonly confirmed: string;
  readonly confirmedByYou: string;
  readonly confirmedElsewhere: string;
  readonly confirmedByUser: string;
  readonly confirmedBySetting: string;
  readonly decidedWith: (decision: string, option: string) => string;
  readonly approve: string;
  readonly deny: string;
  readonly answerSent: string;
  readonly answerWhenLive: string;
  readonly riskLoading: string;
  readonly riskLow: string;
  readonly riskMedium: string;
  readonly riskHigh: string;
  readonly riskUnknown: string;
  readonly safetyOf: Around;
  readonly editInput: string;
  readonly restoreInput: string;
  readonly notJson: string;
  readonly hiddenCharacters: string;
  readonly inputFirst: string;
  readonly inputNotReadable: string;
  readonly suggest: string;
  readonly suggestWithDenial: string;
  readonly denyAndSuggest: string;
  readonly confirmResult: string;
  readonly useResult: string;
  readonly discardResult: string;
  readonly authRequired: Around;
  readonly authExpired: Around;
  readonly authScope: Around;
  readonly signIn: string;
  readonly stopWaiting: string;
  readonly cancelCall: string;
  readonly scopes: string;
  readonly fileCreated: string;
  readonly fileDeleted: string;
  readonly fileMoved: string;
  readonly fileEdited: string;
  readonly linesAdded: Counted;
  readonly linesRemoved: Counted;
  readonly changesIn: Around;
  readonly showChanges: Around;
  readonly showUnchanged: Counted;
  readonly moreRows: Counted;
  readonly wholeLine: Around;
  readonly lineBefore: string;
  readonly lineAfter: string;
  readonly lineChange: string;
  readonly lineText: string;
  readonly lineAdded: string;
  readonly lineRemoved: string;
  readonly noNewline: string;
  readonly lineEndings: (before: string, after: string) => string;
  readonly mixedEndings: string;
  readonly sameContent: string;
  readonly binaryFile: string;
  readonly tooLargeToCompare: string;
  readonly contentBefore: string;
  readonly contentAfter: string;
  readonly movedFrom: string;
  readonly movedTo: string;
  readonly exitCode: Around;
  readonly truncated: string;
  readonly liveTerminal: string;
  readonly subagent: string;

  /* input requests */
  readonly question: string;
  readonly unanswered: string;
  readonly answerAccepted: string;
  readonly answerDeclined: string;
  readonly answerCancelled: string;
  readonly answerSkipped: string;
  readonly noAnswer: string;
  readonly yes: string;
  readonly no: string;
  readonly submit: string;
  readonly decline: string;
  readonly cancel: string;
  readonly required: string;
  readonly recommended: string;
  readonly otherAnswer: string;
  readonly notSupportedQuestion: string;
  readonly opensSite: Around;
  readonly openSite: string;
  readonly accept: string;
  readonly skip: string;
  readonly answerIt: string;
  readonly declineHint: string;
  readonly cancelHint: string;
  readonly otherAnswers: string;
  readonly answerMissing: string;
  readonly answersToMend: Counted;
  readonly lengthIs: (hint: string, length: string) => string;
  readonly lengthBetween: (min: string | undefined, max: string | undefined) => string;
  readonly numberBetween: (min: string | undefined, max: string | undefined) => string;
  readonly timeZone: Around;
  readonly addressNotOpened: string;
  readonly addressHasUser: (user: string, host: string) => string;
  readonly addressIsForeign: string;
  readonly closedByOther: string;
  readonly closedByHost: string;
  readonly youHadEntered: string;
  readonly answerRefused: Around;
  readonly answering: (question: string, answer: string | undefined) => string;
  readonly answerFilesStay: string;
  readonly sendAnswer: string;
  readonly sendInstead: string;
  readonly answerOffered: Around;
  readonly answerWithText: string;
  readonly chooseBetween: (min: number | undefined, max: number | undefined) => string;

  /* announcements */
  readonly announceStarted: string;
  readonly announceFinished: Around;
  readonly announceCancelled: string;
  readonly announceFailed: Around;
  readonly announceConfirmation: Around;
  readonly announceResult: Around;
  readonly announceSignIn: Around;
  readonly announceQuestion: Around;
  readonly announceAnswered: string;
  readonly announceDeclined: string;
  readonly announceQuestionCancelled: string;
  readonly announceOffline: string;
  readonly announceOfflineNotKept: string;
  readonly announceOnline: string;
  readonly announceSent: string;
  readonly announceQueued: string;
  readonly announceSteering: string;
}
