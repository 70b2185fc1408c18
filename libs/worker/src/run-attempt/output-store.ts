import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommittedOutput, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import type { WorkerSettings } from '../settings.js';
import type { AttemptTrace } from '../trace-attempt/attempt-trace.js';
import type { AttemptControl } from './attempt-control.js';
import { waitForAssets } from './wait-for-assets.js';

/** Bytes to store, and another promise that must settle. */
interface Source {
  readonly body: Readable;
  readonly piping?: Promise<void>;
}

/** Stores the outputs of one attempt in the assets service, and waits while that service is unreachable. */
export class OutputStore {
  readonly #assets: WorkerAssetsPort;
  readonly #trace: AttemptTrace;
  readonly #control: AttemptControl;
  readonly #settings: WorkerSettings;

  constructor(assets: WorkerAssetsPort, trace: AttemptTrace, control: AttemptControl, settings: WorkerSettings) {
    this.#assets = assets;
    this.#trace = trace;
    this.#control = control;
    this.#settings = settings;
  }

  /** Stores an output that was read whole. */
  async kept(output: EngineOutput, bytes: Uint8Array): Promise<CommittedOutput> {
    return await this.#stored(output, async () => ({ body: Readable.from([bytes], { objectMode: false }) }));
  }

  /** Stores an output while it is read. */
  async piped(output: EngineOutput): Promise<CommittedOutput> {
    return await this.#stored(output, async () => this.#pipe(await output.open()));
  }

  /** Stores the output; starts again from the beginning if the assets service was unreachable. */
  async #stored(output: EngineOutput, source: () => Promise<Source>): Promise<CommittedOutput> {
    return await this.#trace.output(output.type, output.sizeBytes, async () => {
      return await waitForAssets(
        async () => await this.#commit(output, await source()),
        this.#settings,
        this.#control.signal,
      );
    });
  }

  async #commit(output: EngineOutput, { body, piping }: Source): Promise<CommittedOutput> {
    const { jobId, fence, workerId } = this.#trace.lease;
    const { key, name, type, contentType } = output;
    const lease = { jobId, fence, workerId };
    const committing = this.#assets.commitOutput(lease, { key, name, type, contentType, body });
    try {
      const [committed] = await Promise.all([committing, piping]);
      return committed;
    } catch (error) {
      // The remaining stream ends before a retry.
      body.destroy();
      await Promise.allSettled([committing, piping]);
      throw error;
    }
  }

  /** A failure of the store or of the source ends `body`, and with it the upload. */
  #pipe(source: Readable): Source {
    let left = this.#settings.maxOutputBytes;
    const body = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        left -= chunk.length;
        if (left >= 0) return done(null, chunk);
        this.#control.stop('output_limit');
        return done(new Error('an output is larger than the limit'));
      },
    });
    return { body, piping: pipeline(source, body) };
  }
}
