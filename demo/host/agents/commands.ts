/** What a slash stands for: short names of whole requests. They are completed, and mean the same when typed. */

export interface Command {
  readonly name: string;
  /** What is asked for by it; what follows the name follows this, too. */
  readonly request: string;
  readonly description: string;
}

const command = (name: string, request: string, description: string): Command => ({ name, request, description });

export const commands: readonly Command[] = [
  command('tour', 'tour', 'Show everything this agent can show, step by step'),
  command('help', 'help', 'Say what can be asked for'),
  command('test', 'run the tests', 'Run the tests of the workspace'),
  command('fix', 'fix the failing test', 'Find the failing test and repair it'),
  command('report', 'write a long report', 'Write a long report about the workspace'),
  command('recipe', 'add a recipe', 'Add a recipe, with a few questions'),
  command('prices', 'prices of', 'Ask the market, which wants a sign-in'),
  command('delegate', 'delegate', 'Give a task to a worker'),
  command('search', 'search for', 'Search the files'),
  command('fail', 'fail on purpose', 'Fail, in a way that can be resumed'),
];

/** `/search salt` as the request it stands for; any other text as it is. */
export function expandCommand(text: string): string {
  const [, name = '', rest = ''] = /^\/([\w-]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const found = commands.find((each) => each.name === name.toLowerCase());
  return found ? `${found.request} ${rest}`.trim() : text;
}
