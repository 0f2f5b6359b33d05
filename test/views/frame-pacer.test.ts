import { expect } from '@open-wc/testing';
import { FramePacer, type FrameClock } from '../../src/views/frame-pacer.js';

/** A page whose frames and timers come when the test says so. */
class ManualFrames implements FrameClock {
  time = 0;
  hidden = false;
  count = 0;
  frames: (() => void)[] = [];
  timers: { run: () => void; delayMs: number }[] = [];
  listeners: (() => void)[] = [];

  now = () => this.time;
  frame = () => this.count;
  isHidden = () => this.hidden;
  requestFrame = (run: () => void) => void this.frames.push(run);
  schedule = (run: () => void, delayMs: number) => void this.timers.push({ run, delayMs });
  onVisibilityChange = (listener: () => void) => void this.listeners.push(listener);

  nextFrame(): void {
    this.time += 16;
    this.count += 1;
    for (const run of this.frames.splice(0)) run();
  }
  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    for (const listener of this.listeners) listener();
  }
  fireTimers(): void {
    this.time += 250;
    for (const { run } of this.timers.splice(0)) run();
  }
}

describe('the pace of views', () => {
  it('writes at once, and then once in a frame', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    const job = () => (runs += 1);

    pacer.request(job);
    expect(runs).to.equal(1);
    for (let i = 0; i < 100; i += 1) pacer.request(job);
    expect(runs).to.equal(1);
    frames.nextFrame();
    expect(runs).to.equal(2);
    frames.nextFrame();
    expect(runs).to.equal(2);
  });

  it('rests twice as long as a run took', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    const slow = () => {
      runs += 1;
      frames.time += 40;
    };

    pacer.request(slow);
    pacer.request(slow);
    for (let i = 0; i < 4; i += 1) frames.nextFrame();
    expect(runs).to.equal(1);
    frames.nextFrame();
    expect(runs).to.equal(2);
  });

  it('shares the time among all that ask', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let spent = 0;
    const jobs = Array.from({ length: 5 }, () => () => {
      spent += 4;
      frames.time += 4;
    });

    const start = frames.time;
    for (let i = 0; i < 100; i += 1) {
      for (const job of jobs) pacer.request(job);
      frames.nextFrame();
    }

    expect(spent / (frames.time - start)).to.be.within(0.2, 1 / 3);
  });

  it('goes on by a timer while the page is hidden', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    const job = () => (runs += 1);
    frames.hidden = true;

    pacer.request(job);
    expect(runs).to.equal(0);
    frames.fireTimers();

    expect(runs).to.equal(1);
    expect(frames.frames).to.have.length(0);
  });

  it('does not wait for a frame that was asked for before the page was hidden', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    const job = () => (runs += 1);
    pacer.request(job);
    pacer.request(job);

    frames.setHidden(true);
    frames.fireTimers();
    expect(runs).to.equal(2);
    frames.setHidden(false);
    frames.nextFrame();
    expect(runs).to.equal(2);
  });

  it('forgets what was cancelled', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    const job = () => (runs += 1);
    pacer.request(() => undefined);
    pacer.request(job);
    pacer.cancel(job);
    frames.nextFrame();

    expect(runs).to.equal(0);
  });

  it('loses no job to one that throws', () => {
    const frames = new ManualFrames();
    const pacer = new FramePacer(frames);
    let runs = 0;
    pacer.request(() => undefined);
    pacer.request(() => {
      throw new Error('broken');
    });
    pacer.request(() => (runs += 1));

    expect(() => frames.nextFrame()).to.throw('broken');
    frames.nextFrame();

    expect(runs).to.equal(1);
  });
});
