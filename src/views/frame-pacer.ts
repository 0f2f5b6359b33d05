/**
 * When views write what grows. All of it together runs once per frame at most, and a run that took *c* ms is followed by
 * a pause of at least 2*c*: however much there is to do, two thirds of the main thread are left to the person. In a
 * hidden page, which gets no frames, a timer stands in.
 */

export interface FrameClock {
  /** Milliseconds by a clock that never jumps. */
  now(): number;
  /** Something that is the same within one frame and another one in the next. */
  frame(): unknown;
  isHidden(): boolean;
  requestFrame(run: () => void): void;
  schedule(run: () => void, delayMs: number): void;
  /** Calls `listener` when the page is shown or hidden. */
  onVisibilityChange(listener: () => void): void;
}

/** Between two runs while the page is hidden. */
const HIDDEN_MS = 250;

export class FramePacer {
  readonly #clock: FrameClock;
  #jobs = new Set<() => void>();
  #frame: unknown = Symbol('none');
  #notBefore = 0;
  /** Counts plans; only the latest runs. */
  #plan = 0;
  #isPlanned = false;

  constructor(clock: FrameClock) {
    this.#clock = clock;
    clock.onVisibilityChange(() => {
      // A frame that was asked for before the page was hidden would not come until it is shown again.
      if (this.#isPlanned) this.#makePlan();
    });
  }

  /** Runs `job` at once if nothing has run in this frame, else in the next one that is due. Asking twice is asking once. */
  request(job: () => void): void {
    this.#jobs.add(job);
    if (this.#isPlanned) return;
    const isFirst = this.#clock.frame() !== this.#frame && this.#clock.now() >= this.#notBefore;
    if (isFirst && !this.#clock.isHidden()) this.#run();
    else this.#makePlan();
  }

  cancel(job: () => void): void {
    this.#jobs.delete(job);
  }

  #makePlan(): void {
    this.#isPlanned = true;
    const plan = (this.#plan += 1);
    const run = () => {
      if (plan !== this.#plan) return;
      this.#isPlanned = false;
      if (this.#jobs.size === 0) return;
      if (this.#clock.now() < this.#notBefore) this.#makePlan();
      else this.#run();
    };
    if (this.#clock.isHidden()) this.#clock.schedule(run, HIDDEN_MS);
    else this.#clock.requestFrame(run);
  }

  #run(): void {
    const jobs = this.#jobs;
    this.#jobs = new Set();
    this.#frame = this.#clock.frame();
    const start = this.#clock.now();
    try {
      for (const job of jobs) {
        jobs.delete(job);
        job();
      }
    } finally {
      const end = this.#clock.now();
      this.#notBefore = end + 2 * (end - start);
      // One that throws does not take the others along.
      for (const job of jobs) this.request(job);
    }
  }
}

/** The one that all elements of a page share. */
export const framePacer = new FramePacer({
  now: () => performance.now(),
  frame: () => document.timeline.currentTime,
  isHidden: () => document.hidden,
  requestFrame: (run) => requestAnimationFrame(run),
  schedule: (run, delayMs) => setTimeout(run, delayMs),
  onVisibilityChange: (listener) => document.addEventListener('visibilitychange', listener),
});
