import { expect } from '@open-wc/testing';
import { toReason } from '../../src/protocol/reason.js';

describe('a reason in a host’s words', () => {
  const cases: readonly [language: string, text: string, shown: string][] = [
    [
      'JavaScript',
      'TypeError: x is undefined\n    at Agent.run (/srv/host/agent.js:10:5)\n    at async file:///srv/host/main.js:3:1',
      'TypeError: x is undefined',
    ],
    ['JavaScript in one line', 'Broken at run (/srv/host/agent.js:10:5) at node:internal/timers:5:1', 'Broken'],
    ['JavaScript without files', 'Broken\n    at new Promise (<anonymous>)\n    at Array.map (native)', 'Broken'],
    ['JavaScript on Windows', 'Broken\n    at C:\\host\\agent.js:10:5', 'Broken'],
    [
      'Java',
      'IllegalState: no\n\tat com.host.Agent.run(Agent.java:12)\n\t... 3 more\nCaused by: disk full',
      'IllegalState: no\n\nCaused by: disk full',
    ],
    ['.NET', 'Boom\n   at Host.Agent.Run(String x) in C:\\host\\Agent.cs:line 5', 'Boom'],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/srv/host/agent.py", line 3, in run\n    raise ValueError("no")\nValueError: no',
      'ValueError: no',
    ],
    ['Go', 'panic: nil map\n\ngoroutine 1 [running]:\n\t/srv/host/main.go:12 +0x1d', 'panic: nil map'],
    [
      'Rust',
      'panicked: no\nstack backtrace:\n  0: host::agent::run\n             at /srv/host/main.rs:4:5',
      'panicked: no',
    ],
  ];
  for (const [language, text, shown] of cases)
    it(`has no stack of ${language}`, () => {
      expect(toReason(text).replace(/\n+/g, '\n')).to.equal(shown.replace(/\n+/g, '\n'));
      expect(toReason(text)).not.to.contain('srv').and.not.to.contain('host\\');
    });

  it('has no secret in an address', () => {
    expect(toReason('no answer from wss://h.example/?token=abc')).to.equal('no answer from wss://h.example/?token=…');
  });

  it('keeps everything else', () => {
    for (const text of [
      'The model is overloaded at the moment.\nTry again at 12:30.',
      'Look at the file (line 12) at least once.',
      'No such file: /work/src/a.ts',
      'Meet at noon (GMT)',
      '1: first\n2: second',
    ]) {
      expect(toReason(text)).to.equal(text);
    }
  });

  it('is found quickly, however long the text', () => {
    const before = performance.now();
    for (const piece of [' at ', 'at a (', 'File "', '\tat x.', 'a at b in ', '\n at ('])
      toReason(piece.repeat(400_000));

    expect(performance.now() - before).to.be.below(500);
  });
});
