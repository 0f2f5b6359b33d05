/** Parts of the views that are loaded when they are first needed. This is the only place that names them. */

/** Loads its module once. A load that fails gives nothing and is tried again the next time; it never throws. */
export interface Lazy<Module> {
  (): Promise<Module | undefined>;
  /** Set once it is here. */
  readonly module?: Module;
}

function lazily<Module>(load: () => Promise<Module>): Lazy<Module> {
  let loading: Promise<Module | undefined> | undefined;
  const lazy: Lazy<Module> & { module?: Module } = () => {
    loading ??= load().then(
      (module) => (lazy.module = module),
      () => {
        // The network, or a page that has been deployed anew: the caller keeps its plain form.
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  };
  return lazy;
}

export const loadAssist = lazily(() => import('../composer/assist.js'));
export const loadModelSettings = lazily(() => import('../composer/model-settings.js'));
export const loadQueueTools = lazily(() => import('../composer/queue-tools.js'));
export const loadHighlight = lazily(() => import('./highlight.js'));

/** What a tool call asks, and what went into it and came out. */
export const loadToolCards = lazily(() => import('../tool-call/cards.js'));

/** What a tool made: content, terminals and workers. */
export const loadContentRef = lazily(() => import('./ahp-content-ref.js'));
export const loadTerminal = lazily(() => import('../tool-call/ahp-terminal.js'));
export const loadWorkerChat = lazily(() => import('../tool-call/ahp-worker-chat.js'));
export const loadTerminalScreen = lazily(() => import('./terminal-screen.js'));

/** What a file edit changes, line by line. */
export const loadDiff = lazily(() => import('../tool-call/ahp-diff.js'));

/** What a person writes into a confirmation. */
export const loadToolInput = lazily(() => import('../tool-call/ahp-tool-input.js'));
export const loadSuggestion = lazily(() => import('../tool-call/ahp-suggestion.js'));

/** Questions, and what a text in the composer answers to one. */
export const loadInputRequest = lazily(() => import('../input-request/ahp-input-request.js'));
export const loadAnswerMode = lazily(() => import('../composer/answer-mode.js'));

/** Where a chat comes from, and what runs beside it. */
export const loadChatNotes = lazily(() => import('../status/ahp-chat-notes.js'));

/** What is done with a selected piece of an answer. */
export const loadSelectionBar = lazily(() => import('../transcript/selection-bar.js'));

/** What lets turns go that are far from what is read. */
export const loadSurplus = lazily(() => import('../transcript/surplus.js'));

/** What is done with finished turns. */
export const loadTurnTools = lazily(() => import('../transcript/turn-tools.js'));
