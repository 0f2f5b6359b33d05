import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.js';
import type { ResponsePart } from '../../src/protocol/state.js';
import { closeFence, escapeText, link } from '../../src/transcript/markdown-text.js';
import { turnToMarkdown } from '../../src/transcript/turn-markdown.js';
import { completedCall, markdown, reasoning, toolPart, turn, userMessage } from '../helpers/turns.js';

const write = (parts: readonly ResponsePart[], more = {}) =>
  turnToMarkdown(turn('a', { message: userMessage('Go'), responseParts: parts, ...more }), en);
const start = '**You**\n\n> Go';

describe('a turn as Markdown', () => {
  it('quotes the message, lists attachments and gives the answer as it was written', () => {
    const message = userMessage('First *line*\n\nsecond', {
      attachments: [
        { type: 'resource', label: 'notes [1].md', uri: 'file:///n.md' },
        { type: 'resource', label: 'page', uri: 'https://example.com/a b' },
      ],
    });

    const text = turnToMarkdown(turn('a', { message, responseParts: [markdown('# Answer\n\n- one')] }), en);

    expect(text).to.equal(
      '**You**\n\n> First *line*\n>\n> second\n\n- notes \\[1\\].md\n- [page](<https://example.com/a%20b>)\n\n# Answer\n\n- one',
    );
  });

  it('lists neighbouring steps, each once, and leaves thinking out', () => {
    const text = write([
      reasoning('hm'),
      toolPart(completedCall('1')),
      toolPart(completedCall('1')),
      toolPart(completedCall('2', { success: false, error: { message: 'no such file' }, pastTenseMessage: 'Read b' })),
      markdown('Done.'),
    ]);

    expect(text).to.equal(`${start}\n\n- Read \`file-1.ts\`\n- Read b – no such file\n\nDone.`);
  });

  it('says how it ended, without stack or error type', () => {
    const error = { errorType: 'Internal', message: 'Out *of* memory', stack: 'at secret.ts:1' };

    expect(write([], { state: 'cancelled' })).to.equal(`${start}\n\n*Stopped*`);
    expect(write([{ kind: 'error', error }], { state: 'error' })).to.equal(
      `${start}\n\n**Failed** Out \\*of\\* memory`,
    );
    expect(write([], { state: 'error', error })).to.contain('Out \\*of\\* memory');
  });

  it('writes questions with their answers', () => {
    const request = {
      id: 'q',
      message: 'Which?',
      questions: [
        { id: 'one', kind: 'text' as const, message: 'Name' },
        { id: 'two', kind: 'boolean' as const, message: 'Sure' },
      ],
      answers: { one: { state: 'submitted' as const, value: { kind: 'text' as const, value: 'Ada' } } },
    };

    expect(write([{ kind: 'inputRequest', request, response: 'accept' }])).to.equal(
      `${start}\n\n**${en.question}** Which?\n\n- Name: Ada\n- Sure: ${en.noAnswer}`,
    );
  });

  it('reads notifications from their content alone, and names what it does not know', () => {
    const text = write([
      { kind: 'systemNotification', content: 'Moved <on>', _meta: { secret: 1 } },
      { kind: 'hologram' } as unknown as ResponsePart,
    ]);

    expect(text).to.contain('> Moved \\<on\\>');
    expect(text).to.contain('hologram').and.not.contain('secret');
  });

  it('keeps an open fence from swallowing what follows', () => {
    expect(write([markdown('```ts\nlet a'), toolPart(completedCall('1'))])).to.contain('let a\n```\n\n- Read');
    expect(closeFence('~~~~\n```\n~~~')).to.equal('~~~~\n```\n~~~\n~~~~');
    expect(closeFence('```\na\n```')).to.equal('```\na\n```');
  });

  it('makes text that means nothing to Markdown', () => {
    expect(escapeText('1. *a* <b> `c` [d](e)\n- f')).to.equal('1\\. \\*a\\* \\<b\\> \\`c\\` \\[d\\](e)\n\\- f');
    expect(link('a]b', 'x:<y>')).to.equal('[a\\]b](<x:%3Cy%3E>)');
  });

  it('survives a turn that lacks what it must have', () => {
    const odd = { id: 'a', state: 'complete' } as Parameters<typeof turnToMarkdown>[0];

    expect(turnToMarkdown(odd, en)).to.equal('');
  });
});
