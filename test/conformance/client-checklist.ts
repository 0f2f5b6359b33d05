/**
 * What a client of the protocol has to do, row by row, and the tests that hold this one to it. `client-checklist.node.ts`
 * makes sure that every test named here exists. A row without a test says why none can be.
 */

/** `M`: must, `S`: should, by the protocol. `D`: our own decision where the protocol is silent. */
export type Level = 'M' | 'S' | 'D';

/** One `it(…)`: by its exact title, or, where a loop makes the title, by a pattern for its source, `…` for what is put in. */
export type NamedTest =
  { readonly file: string; readonly title: string } | { readonly file: string; readonly pattern: RegExp };

interface Rule {
  readonly row: number;
  readonly level: Level;
  readonly rule: string;
}

export type ChecklistRow =
  | (Rule & { readonly tests: readonly NamedTest[] })
  /** A sentence. */
  | (Rule & { readonly reason: string });

/** Tests of one file. */
const of = (file: string, ...titles: readonly (string | RegExp)[]): readonly NamedTest[] =>
  titles.map((title) =>
    typeof title === 'string' ? { file: `test/${file}`, title } : { file: `test/${file}`, pattern: title },
  );

const row = (
  number: number,
  level: Level,
  rule: string,
  ...tests: readonly (readonly NamedTest[])[]
): ChecklistRow => ({ row: number, level, rule, tests: tests.flat() });

export const clientChecklist: readonly ChecklistRow[] = [
  row(
    1,
    'M',
    'Nothing but ping goes out before initialize on a first connection.',
    of('client/wire.test.ts', 'begins with initialize on the first connection, whatever is asked meanwhile'),
    of(
      'client/dialogue.test.ts',
      'sends initialize first, with all versions, the client id and the channels that need no view',
    ),
  ),
  row(
    2,
    'M',
    'What the host chose holds until the next initialize, over reconnects and reloads.',
    of(
      'client/dialogue.test.ts',
      'goes on from a state that was kept over a reload, with the lowest number of all',
      'tries once more with a version the host named and this client speaks',
    ),
    of('client/synced-chat-store.test.ts', 'says nothing of a mark as read that the host’s version does not know'),
  ),
  row(
    3,
    'S',
    'Many versions are offered, and an old host gets less instead of nothing.',
    of(
      'protocol/versions.test.ts',
      'reach from the newest back to 0.6, the preferred first, each once',
      /^… a host …$/,
    ),
    of('client/to-wire.test.ts', /^sends … from … on only$/, 'says in words what 0.6 has no attachment for'),
  ),
  row(
    4,
    'S',
    'Actions nobody here knows pass without a word and without effect.',
    of('chat/reducer.test.ts', 'gives the same object back for actions it does not know'),
    of('chat/reconcile.test.ts', 'of an unknown type changes nothing but the number'),
    of('client/synced-chat-store.test.ts', 'follows a stream, and tells of nothing that did not change'),
  ),
  row(
    5,
    'M',
    'Every message names a channel; what concerns the connection names the root.',
    of('client/wire.test.ts', 'names its channel, and the root where it is about the connection'),
  ),
  row(
    6,
    'M',
    'A URI whose kind is not understood is never subscribed to.',
    of('client/channels.test.ts', /^of … as a … …$/),
    of('client/bad-input.test.ts', 'is not subscribed to: no chats of the session, no workers'),
  ),
  row(
    7,
    'M',
    'A snapshot may hold more than the view that was asked for.',
    of('client/wire.test.ts', 'is taken whole, and nothing older is offered', 'is taken whole after a reconnect, too'),
  ),
  row(
    8,
    'M',
    'Cursors go back as they came, and none is kept beyond its connection.',
    of(
      'client/older-turns.test.ts',
      /^… goes back to the host as it came$/,
      'does not outlive its connection: another snapshot is asked for first',
    ),
    of(
      'client/synced-chat-store.test.ts',
      'take a new cursor after a reconnect, since cursors die with the connection',
    ),
    of(
      'mirror/records.test.ts',
      'has no cursor, which dies with its connection, and no turns, which are stored one by one',
    ),
  ),
  row(
    9,
    'M',
    'An envelope counts only above the number of its snapshot.',
    of(
      'chat/reconcile.test.ts',
      'takes buffered envelopes above its number and settles by those below it',
      'is applied once, however often and late it comes',
    ),
  ),
  row(
    10,
    'M',
    'What the host refuses is taken back here, and the reason may be shown.',
    of('chat/reconcile.test.ts', 'is never applied, raises the number, and gives the action back'),
    of(
      'client/synced-chat-store.test.ts',
      'gives a refused message back to the composer, above what was typed meanwhile',
    ),
    of('element/ahp-chat.test.ts', 'gives a refused text back above what was written meanwhile, with the reason'),
  ),
  row(
    11,
    'S',
    'Channels a replay misses are given up.',
    of('client/dialogue.test.ts', 'drops what is missing in a replay and says so once'),
    of('client/reconnect.test.ts', 'names what is missing: the store fails, the transcript stays'),
  ),
  row(
    12,
    'S',
    'Lists of sessions are read anew after a reconnect, since news of them is not replayed.',
    of('element/ahp-chat-list.test.ts', 'follows the host, also over a loss of the connection'),
    of(
      'client/catalogue.test.ts',
      'is asked for again on each connection, since what happens meanwhile is not replayed',
    ),
  ),
  row(
    13,
    'S',
    'After a reconnect the host may want tokens again, and gets them.',
    of(
      'client/authenticator.test.ts',
      'go out again after every fresh handshake, before the channels and the rest',
      'go out after a resumption only when the host asks, once',
      'that a fresh handshake finds expired are asked for anew',
    ),
  ),
  row(
    14,
    'S',
    'A refusal for want of a token leads to a token, and then to a second attempt.',
    of(
      'client/authenticator.test.ts',
      'are asked for when the host refuses, and the refused channel is taken up after',
      'goes out without a question where it is known, and the request after it',
      'is waited for until the host has one for each resource it named',
      'is asked for again where the host refuses once more, and the request is over',
    ),
    of('client/open-target.test.ts', 'waits for a token where the host wants one for a session'),
  ),
  row(
    15,
    'M',
    'A token goes out only for a resource the host has named.',
    of(
      'client/authenticator.test.ts',
      'go to the host for resources it has named, and wait for that',
      'for what the host never named stay here, also after a fresh handshake',
    ),
    of(
      'client/tokens.test.ts',
      'goes out when the root says that an agent needs it, before the chat is asked for',
      'goes out when a server of the session waits for it',
    ),
  ),
  {
    row: 16,
    level: 'S',
    rule: 'A protected resource that does not say so is required.',
    reason:
      'Nothing here reads "required": nobody is asked for a token in advance, and where the host refuses without one it is asked for whatever the metadata say.',
  },
  row(
    17,
    'M',
    'Where a challenge names an OAuth client, that one is used.',
    of('views/tool-call/ahp-tool-call.test.ts', 'shows what for and hands the whole requirement to the page'),
    of('client/synced-chat-store.test.ts', 'asks the page for the token a tool call waits for, once'),
  ),
  row(
    18,
    'M',
    'The scopes that are demanded stand for themselves, whatever scopes are supported.',
    of('views/tool-call/ahp-tool-call.test.ts', 'shows what for and hands the whole requirement to the page'),
    of(
      'client/authenticator.test.ts',
      'are asked for when the host refuses, and the refused channel is taken up after',
    ),
  ),
  row(
    19,
    'M',
    'Messages that are sent come from the user.',
    of('client/to-wire.test.ts', 'speaks for the person alone, whoever wrote what the message was made of'),
    of('client/pending-messages.test.ts', 'goes out as the person’s own message, whoever wrote the first'),
    of('chat/actions.test.ts', 'write the message of a person, with nothing that was not given'),
  ),
  row(
    20,
    'M',
    'A simple attachment made here says what the model reads.',
    of('client/to-wire.test.ts', 'says in words what 0.6 has no attachment for'),
  ),
  row(
    21,
    'M',
    'What a completion attached comes back with its metadata.',
    of('views/composer/suggestions.test.ts', /^are taken with …, which does nothing else, and bring their attachment/),
    of('client/to-wire.test.ts', 'passes a message it need not change on as the same object'),
  ),
  row(
    22,
    'S',
    'A display kind nobody knows looks like any attachment.',
    of(
      'views/attachments/ahp-attachment-list.test.ts',
      'gives one of a display kind it does not know the look of its type',
    ),
  ),
  row(
    23,
    'S',
    'An attached chat keeps its label when it is gone, and opening it is only asked for.',
    of(
      'views/attachments/ahp-attachment-list.test.ts',
      'shows every type by its label, also one it does not know',
      'asks to open resources and chats, and only those',
    ),
  ),
  row(
    24,
    'S',
    'Drafts go to the host after a pause, fill the composer, and end with the sending.',
    of(
      'client/draft-session.test.ts',
      'is sent a second after a change, and not again while nothing changes',
      'shows the draft of somebody else when ours is clean and nobody types',
      'leaves the composer at once and keeps the choice of model',
    ),
    of('element/ahp-chat.test.ts', /^carries … out$/),
  ),
  row(
    25,
    'D',
    'A draft from elsewhere never replaces what is written here; it is offered.',
    of('client/draft-session.test.ts', 'offers it while the field is in use or holds something else'),
    of('views/composer/ahp-composer.test.ts', 'is offered in a row that can be taken or dismissed'),
  ),
  row(
    26,
    'M',
    'How long a turn took is shown as told, never worked out from times.',
    of('views/transcript/ahp-transcript.test.ts', 'have a footer with time, length, tokens and model, as given'),
    of('views/transcript/turn-actions.test.ts', 'never makes a duration up'),
  ),
  row(
    27,
    'D',
    'A stop says how long the turn was seen here, by a clock that never jumps.',
    of(
      'element/ahp-chat.test.ts',
      'stops with the time since the turn was first seen here, whatever clocks on walls say',
    ),
  ),
  row(
    28,
    'S',
    'The status is asked bit by bit.',
    of('chat/selectors.test.ts', 'whether it is busy, needs input, can be written into, is read or archived'),
    of(
      'client/choose-chat.test.ts',
      'are tried from the newest on, without the archived, whatever else the status says',
    ),
  ),
  row(
    29,
    'M',
    'Bits of the status that nobody knows stay.',
    of('chat/reducer.test.ts', 'keeps unknown bits, the sign bit among them, as an unsigned number'),
    of(
      'chat/properties.test.ts',
      'keeps the status an unsigned number that fits the running turn after every recompute',
    ),
  ),
  row(
    30,
    'S',
    'A confirmation offers the options of the host in its order.',
    of(
      'views/tool-call/ahp-tool-call.test.ts',
      'offers the host’s options in its order, the first approving one filled, and invents none',
    ),
  ),
  row(
    31,
    'D',
    'A denial is always possible, and an option is sent only as what it is.',
    of(
      'views/tool-call/ahp-tool-call.test.ts',
      'offers a plain Deny where the host offers none',
      /^answers … with its kind and id$/,
    ),
  ),
  row(
    32,
    'D',
    'The input of a call can be edited only where the host allows it.',
    of('views/tool-call/answering.test.ts', 'can be changed only where the host says so'),
  ),
  row(
    33,
    'M',
    'After a confirmation the input is read again.',
    of('views/tool-call/answering.test.ts', 'is read again after the confirmation, never from a cache'),
    of('client/resource-reader.test.ts', 'remembers a version by its nonce, and never what has none'),
  ),
  row(
    34,
    'M',
    'A call of a tool of this page that cannot be run is refused.',
    of('client/page-tools.test.ts', 'refuse a tool that is not there, running or waiting'),
  ),
  row(
    35,
    'M',
    'The result of a tool of this page is reported.',
    of(
      'client/page-tools.test.ts',
      'run with their input, once, and the agent gets what they give',
      'fail with the message of what they throw, and nothing else of it',
    ),
  ),
  row(
    36,
    'D',
    'A tool of this page runs once for each call at the most.',
    of(
      'client/page-tools.test.ts',
      'run once over a loss of the connection, and finish afterwards',
      /^fail, and do not run again, when the page goes while they run/,
    ),
    of(
      'chat/proof.test.ts',
      'the result of an own tool is sent until the call has ended, and the tool never runs again',
    ),
    of(
      'flows/page-tools.node.ts',
      'run once when the page is loaded anew in the middle, and the call ends with what is true',
      'run in one of two tabs that offer the same, and the other says that it runs elsewhere',
    ),
  ),
  row(
    37,
    'M',
    'A call that waits for a token is given up as a failure, never ended as a success.',
    of('views/tool-call/ahp-tool-call.test.ts', 'can be given up'),
    of('element/ahp-chat.test.ts', 'gives up a call that waits for a token as failed and cancelled'),
    of('chat/tool-call.test.ts', 'ignores the _meta of a success that cannot have happened'),
  ),
  row(
    38,
    'S',
    'A sign-in is asked for at the call that waits for it.',
    of('views/tool-call/ahp-tool-call.test.ts', 'shows what for and hands the whole requirement to the page'),
  ),
  row(
    39,
    'M',
    'A notification of the system reads well by its content alone.',
    of('views/parts/parts.test.ts', 'shows a system notification by its content alone'),
    of(
      'transcript/turn-markdown.test.ts',
      'reads notifications from their content alone, and names what it does not know',
    ),
  ),
  row(
    40,
    'S',
    'Nothing is accepted without an answer to every required question.',
    of(
      'views/input-request/ahp-input-form.test.ts',
      /^says so of …, at the question, and sends nothing$/,
      'cannot be accepted with a required question of an unknown kind, and can be declined',
    ),
  ),
  row(
    41,
    'D',
    'Defaults are filled in, and are answers only once they are accepted.',
    of(
      'views/input-request/ahp-input-form.test.ts',
      'begins with defaults and recommended options, which are no answers before they are accepted',
    ),
  ),
  row(
    42,
    'S',
    'What others enter is merged question by question and shown, but not where somebody types.',
    of('client/answer-session.test.ts', 'is merged question by question'),
    of(
      'views/input-request/ahp-input-form.test.ts',
      'shows what somebody else enters as it comes, except where the focus is',
    ),
    of('chat/input-request.test.ts', 'keeps each draft until it is taken back, without a change of the status'),
  ),
  row(
    43,
    'D',
    'The address of a request is shown with its origin and opened only by a press, if it is of the web or of mail.',
    of('views/input-request/ahp-input-request.test.ts', 'never opens an address by itself'),
    of(
      'views/input-request/url-box.test.ts',
      'shows its whole origin and opens in a tab that knows nothing of this one',
      'may be a mail',
      /^is text that cannot be pressed: …$/,
    ),
  ),
  row(
    44,
    'D',
    'A question of a turn that has ended is shown as unanswered and can only be read.',
    of('views/input-request/ahp-input-request.test.ts', /^says … in a finished turn whose response is …$/),
    of('chat/input-request.test.ts', 'stays open in the turn that has ended without an answer'),
    of('client/answer-session.test.ts', 'stays readable when the turn ends without an answer'),
  ),
  row(
    45,
    'M',
    'Forks and side chats are offered only where the agent can make them.',
    of('views/transcript/turn-actions.test.ts', 'is offered where the chat, the host and the agent allow it'),
    of('element/turn-abilities.test.ts', /^includes forks and side chats as the agent can make them: one that …$/),
    of('element/turn-intents.test.ts', 'says what a host answers that does not fork, and stays where it is'),
  ),
  row(
    46,
    'M',
    'No further chat is made where the agent has one only.',
    of('client/catalogue.test.ts', /^offers another chat only where the agent can have several/),
    of(
      'element/ahp-chat-list.test.ts',
      'makes a chat and opens it',
      'makes no further chat, and offers none, where the agent has one only',
    ),
    of('client/open-target.test.ts', 'is made in a session that is ready and has none'),
  ),
  row(
    47,
    'M',
    'Working directories are changed only where the agent allows several.',
    of('client/to-wire.test.ts', 'changes working directories only where the agent says it can'),
  ),
  row(
    48,
    'M',
    'Chats that others came from may be missing, in circles or without end.',
    of(
      'views/tool-call/ahp-worker-chat.test.ts',
      'is not shown inside itself',
      'is not shown below sixteen others',
      'stays a name where the host no longer has it',
    ),
    of('element/turn-intents.test.ts', 'names a chat it came from that is gone, without a link'),
  ),
  row(
    49,
    'M',
    'A hidden chat is never listed, and one that is only read has no composer.',
    of(
      'element/ahp-chat-list.test.ts',
      'lists the chats of a session, never a hidden one, on the connection of the chat beside it',
    ),
    of('client/choose-chat.test.ts', 'is the only visible one'),
    of('element/ahp-chat.test.ts', 'has no composer in a read-only chat, nor where the page wants none'),
  ),
  row(
    50,
    'S',
    'News of a summary never changes what it is a summary of.',
    of('channels/session.test.ts', 'merges what changed of a chat, but not who it is'),
    of('client/catalogue.test.ts', 'takes from news of a session what has changed, but not who it is'),
  ),
  row(
    51,
    'M',
    'Where commands begin in a terminal is read only where the host can tell.',
    of('views/tool-call/ahp-terminal.test.ts', 'marks where commands begin only where the host can tell'),
    of('channels/terminal.test.ts', 'tells commands and where they begin, where the host says that it can'),
  ),
  row(
    52,
    'M',
    'Nothing of a terminal is shown before the host has said it.',
    of('views/tool-call/ahp-terminal.test.ts', 'never sends anything into it'),
  ),
  row(
    53,
    'M',
    'Bytes travel as base64.',
    of('client/resource-reader.test.ts', /^asks for … as …$/),
    of('client/host-requests.test.ts', 'gives what this client published'),
  ),
  row(
    54,
    'M',
    'What is not there is answered as not found.',
    of('client/host-requests.test.ts', /^refuses … of … with …$/),
    of('views/parts/ahp-content-ref.test.ts', 'says that it is gone and keeps its name'),
  ),
  row(
    55,
    'M',
    'Every request of the host is answered, one nobody knows as such.',
    of('client/host-requests.test.ts', /^refuses … of … with …$/),
    of('client/connection.test.ts', /^answers the host's request "…" under its own id$/),
    of('client/bad-input.test.ts', 'that is a request is answered, so that the host does not hang'),
  ),
  row(
    56,
    'M',
    'Who the host says it is makes no difference.',
    of('client/handshake.test.ts', 'does not depend on who the host says it is'),
  ),
  row(
    57,
    'S',
    'What a chat or a message leaves out has its meaning: full, the host’s choice, none.',
    of('chat/selectors.test.ts', 'whether it is busy, needs input, can be written into, is read or archived'),
    of('chat/actions.test.ts', 'write the message of a person, with nothing that was not given'),
  ),
  row(
    58,
    'M',
    'A turn is resumed only under all its conditions.',
    of(
      'chat/turn.test.ts',
      'makes the last, failed one run again, with its parts and without its end',
      /^does nothing …$/,
    ),
    of('chat/selectors.test.ts', 'whether a turn can be resumed'),
    of(
      'views/parts/parts.test.ts',
      'offers to resume only the last turn, only when the host allows it, only while nothing runs',
    ),
  ),
  row(
    59,
    'M',
    'Members of a collection are shown inside it.',
    of('views/attachments/ahp-attachment-list.test.ts', 'opens a collection into its pieces and closes it again'),
  ),
  row(
    60,
    'D',
    'Ids are 128 random bits, also on plain http.',
    of('client/browser-environment.test.ts', 'makes ids of 128 random bits, also where there is no randomUUID'),
    of('client/identity.test.ts', 'is fresh in a new tab and held by a lock of its name'),
  ),
  row(
    61,
    'D',
    'What a host says runs nothing, loads nothing and leads nowhere by itself.',
    of(
      'views/parts/ahp-markdown.test.ts',
      'makes no element of raw HTML, wherever it stands',
      'loads no picture by itself, and one when its button is pressed',
    ),
    of('views/parts/strict-csp.test.ts', 'runs nothing, breaks no rule and shows all of it, code in colours'),
    of(
      'views/attachments/ahp-attachment-list.test.ts',
      'shows a small picture of what is a picture, and runs nothing of an SVG',
    ),
    of('views/parts/parts.test.ts', 'saves as bytes of no type, so that nothing in it runs'),
  ),
  row(
    62,
    'D',
    'Stacks and metadata are not shown.',
    of(
      'views/parts/parts.test.ts',
      'shows nothing of metadata and stacks, wherever they stand',
      'shows an error by its first line, the rest on request, its stack never',
    ),
  ),
  row(
    63,
    'D',
    'An address with a secret in it is never shown.',
    of('views/parts/parts.test.ts', 'shows no secret in an address, neither of a notification nor of an error'),
    of('protocol/hide-tokens.test.ts', /^is left out of …$/),
    of('client/websocket-transport.test.ts', 'never names the token, wherever it fails'),
    of('client/connection.test.ts', 'leaves secrets in addresses out of what the host says'),
  ),
  row(
    64,
    'D',
    'An envelope is reduced once, a frame renders once, and a delta costs what it changes.',
    of(
      'chat/reconcile.test.ts',
      'lets a stream through at the cost of the stream',
      'from somebody else is applied, and shown as confirmed where nothing is pending',
    ),
    of('views/store-controller.test.ts', 'makes one update of many changes in a frame'),
    of('chat/turn.test.ts', 'looks at no finished turn and at no other part, however many there are'),
  ),
  row(
    65,
    'D',
    'An intent is written before it goes, proven by the host, and sent again only where that is harmless.',
    of(
      'client/outbox.test.ts',
      'puts an intent on disk, as sent, before it leaves, and takes it away when it is proven',
    ),
    of(
      'chat/reconcile-properties.test.ts',
      'ends with the host’s state, and with every intent settled once or still in sight',
    ),
    of(
      'chat/proof.test.ts',
      'is proven by running or having run',
      'is sent again if no turn has come since, else the person is asked',
      /^… is proven by the state, and sent again until then$/,
      'is sent again for the very question that was on screen',
      'is sent again while it is open, and proven by a response',
      'is proven by the turn not running, and sent again while it runs',
      'a resume is proven by the turn running, sent again while it may, and asked about otherwise',
      'is never sent twice',
    ),
    of(
      'client/synced-chat-store.test.ts',
      'sets an intent aside that is not proven in ten seconds, with a retry',
      'sends an approval once, however often the connection breaks after it was acknowledged',
    ),
    of(
      'client/identity.test.ts',
      'stays the same over a reload, and never gives a number twice',
      'is another one in a duplicated tab, whose copy of the storage finds the lock taken',
    ),
  ),
];
