import { expect } from '@open-wc/testing';
import { HANDSHAKE_MS, IDLE_MS, SpawnedWorker, type SpawnOptions } from '../../src/worker/spawn.js';
import { createWorker } from '../../src/worker/worker-factory.js';
import { describeWorker, nameOfRejection, someBytes } from '../conformance/worker.js';
import { ManualTimers } from '../mirror/databases.js';

const timers = new ManualTimers();

describeWorker('the worker', () => new SpawnedWorker({ schedule: timers.schedule }));

describe('the worker', () => {
  let started: Worker[];
  let ended: Worker[];
  let fallbacks: unknown[];
  let worker: SpawnedWorker;
  let own: ManualTimers;

  const spawn = (parts: Partial<SpawnOptions> = {}): SpawnedWorker => {
    own = new ManualTimers();
    worker = new SpawnedWorker({
      schedule: own.schedule,
      factory: () => watch(createWorker()),
      onFallback: (reason) => fallbacks.push(reason),
      ...parts,
    });
    return worker;
  };
  const watch = (one: Worker): Worker => {
    started.push(one);
    const terminate = one.terminate.bind(one);
    one.terminate = () => {
      ended.push(one);
      terminate();
    };
    return one;
  };
  /** A worker of its own text. */
  const create = (text: string): Worker =>
    watch(new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))));
  const works = async (): Promise<void> => {
    expect(new Uint8Array(await worker.decodeBase64('QUJD'))).to.deep.equal(new Uint8Array([65, 66, 67]));
  };

  beforeEach(() => {
    started = [];
    ended = [];
    fallbacks = [];
  });

  afterEach(() => worker.close());

  it('starts with the first job, once for all that come together', async () => {
    spawn();
    expect(started.length).to.equal(0);

    await Promise.all([works(), works(), works()]);

    expect(started.length).to.equal(1);
    expect(fallbacks).to.deep.equal([]);
  });

  it('ends when no job has come for a while, and starts again with the next', async () => {
    spawn();
    await works();
    expect(own.delays).to.deep.equal([IDLE_MS]);

    await own.fire(IDLE_MS);
    const after = ended.length;
    await works();

    expect(after).to.equal(1);
    expect(started.length).to.equal(2);
  });

  it('is not ended while a job is under way', async () => {
    spawn();
    await works();
    const job = worker.digest(new Blob([someBytes(1000)]));

    expect(own.delays).to.deep.equal([]);
    await job;
    expect(own.delays).to.deep.equal([IDLE_MS]);
  });

  it('is ended with its element', async () => {
    spawn();
    await works();

    worker.close();

    expect(ended.length).to.equal(1);
    expect(own.delays).to.deep.equal([]);
    expect(await nameOfRejection(worker.decodeBase64('QUJD'))).to.equal('AbortError');
  });

  it('rejects what is under way when it is closed', async () => {
    spawn();
    await works();
    const job = nameOfRejection(worker.encodeBase64(new Blob([someBytes(16 * 1024 * 1024)])));

    worker.close();

    expect(await job).to.equal('AbortError');
  });

  it('takes the built-in worker when the one of the page throws', async () => {
    spawn({
      factory: () => {
        throw new TypeError('not today');
      },
    });

    await works();

    expect(fallbacks).to.deep.equal([]);
    expect(own.delays).to.deep.equal([IDLE_MS]);
  });

  it('takes the built-in worker when the one of the page does not load', async () => {
    spawn({ factory: () => watch(new Worker('/there-is-no-such-file.js')) });

    await works();

    expect(ended).to.deep.equal(started);
    expect(fallbacks).to.deep.equal([]);
  });

  it('takes the built-in worker when the one of the page is of another origin', async () => {
    spawn({ factory: () => watch(new Worker('https://cdn.invalid/worker.js', { type: 'module' })) });

    await works();

    expect(fallbacks).to.deep.equal([]);
  });

  it('waits three seconds for the first word, and no longer', async () => {
    spawn({ factory: () => create('/* says nothing */') });

    const job = works();
    await own.fire(HANDSHAKE_MS);
    await job;

    expect(ended.length).to.equal(1);
  });

  it('does the job again on this thread when the worker breaks in the middle of it', async () => {
    // Answers the handshake in comlink's way, then breaks.
    spawn({
      factory: () =>
        create(`onmessage = ({ data }) => {
          if (data.path.at(-1) === 'ping') postMessage({ id: data.id, type: 'RAW', value: true });
          else throw new Error('broken');
        };`),
    });

    await works();

    expect(ended.length).to.equal(1);
  });

  it('cancels a job that waits for the worker to start', async () => {
    spawn();
    const job = nameOfRejection(worker.digest(new Blob([someBytes(10)]), { id: 'early' }));

    await worker.cancel('early');

    expect(await job).to.equal('AbortError');
  });
});
