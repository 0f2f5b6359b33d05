import { expect } from '@open-wc/testing';
import { createPortLink } from '../../src/protocol/port-link.js';
import type { Link } from '../../src/protocol/link.js';

/** Resolves with the next frame of `link`. */
const nextFrame = (link: Link) =>
  new Promise<string>((resolve) => {
    link.onmessage = resolve;
  });

const nextClose = (link: Link) =>
  new Promise<boolean>((resolve) => {
    link.onclose = ({ retry }) => resolve(retry);
  });

describe('a link over a MessagePort', () => {
  it('carries frames both ways', async () => {
    const { port1, port2 } = new MessageChannel();
    const [left, right] = [createPortLink(port1), createPortLink(port2)];

    left.send('ping');
    const there = await nextFrame(right);
    right.send('pong');
    const back = await nextFrame(left);

    expect([there, back]).to.deep.equal(['ping', 'pong']);
  });

  it('tells the other end of a close, after the frames before it', async () => {
    const { port1, port2 } = new MessageChannel();
    const [left, right] = [createPortLink(port1), createPortLink(port2)];
    const frames: string[] = [];
    right.onmessage = (text) => frames.push(text);

    left.send('last');
    left.close();
    left.send('too late');
    const retry = await nextClose(right);

    expect(retry).to.equal(true);
    expect(frames).to.deep.equal(['last']);
  });

  it('takes anything but a string as the end', async () => {
    const { port1, port2 } = new MessageChannel();
    const right = createPortLink(port2);

    port1.postMessage({ not: 'a frame' });

    expect(await nextClose(right)).to.equal(true);
  });
});
