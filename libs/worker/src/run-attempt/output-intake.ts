import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommittedOutput, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import type { LeaseReporter } from '../report-events/lease-reporter.js';
import type { AttemptTrace } from '../trace-attempt/attempt-trace.js';
import type { WorkerSettings } from '../settings.js';
import type { AttemptControl } from './attempt-control.js';
import { fitOutput } from './fit-output.js';
import { KeptOutputs, readWhole } from './kept-outputs.js';
import { waitForAssets } from './wait-for-assets.js';

/**
 * Stores outputs as they appear and reports each in order once its bytes are durable; too many or too large ones stop
 * the job. The engine does not wait for the disk: small outputs are read whole and stored while it continues, within a
 * budget of bytes. Larger ones are streamed.
 */
export class OutputIntake {
  readonly #assets: WorkerAssetsPort;
  readonly #trace: AttemptTrace;
  readonly #reporter: LeaseReporter;
  readonly #control: AttemptControl;
  readonly #settings: WorkerSettings;
  readonly #kept: KeptOutputs;
  #count = 0;

  constructor(
    assets: WorkerAssetsPort,
    trace: AttemptTrace,
    reporter: LeaseReporter,
    control: AttemptControl,
    settings: WorkerSettings,
  ) {
    this.#assets = assets;
    this.#trace = trace;
    this.#reporter = reporter;
    this.#control = control;
    this.#settings = settings;
    this.#kept = new KeptOutputs(settings.keptOutputBytes);
  }

  /** Aborts when an output could not be stored: the run is useless then. */
  get broken(): AbortSignal {
    return this.#kept.broken;
  }

  /** Resolves when every output is reported; rejects if one could not be stored. */
  async settled(): Promise<void> {
    await this.#kept.settled();
  }

  /** Resolves when the engine may continue and forget the output. */
  async take(given: EngineOutput): Promise<void> {
    const output = fitOutput(given);
    this.#count += 1;
    const tooLarge = output.sizeBytes !== null && output.sizeBytes > this.#settings.maxOutputBytes;
    if (this.#count > this.#settings.maxOutputs || tooLarge) {
      this.#control.stop('output_limit');
      return;
    }
    const sizeBytes = output.sizeBytes ?? Infinity;
    if (sizeBytes > this.#settings.keptOutputBytes) {
      const committed = await this.#stored(output, async () => this.#piped(await output.open()));
      await this.#kept.settled();
      this.#report(output, committed);
      return;
    }
    await this.#kept.roomFor(sizeBytes);
    const bytes = await readWhole(output, sizeBytes);
    const storing = this.#stored(output, async () => ({ body: Readable.from([bytes], { objectMode: false }) }));
    this.#kept.add(sizeBytes, storing, (committed) => this.#report(output, committed));
  }

  /** Stores the output; starts again from the beginning if the assets service was away. */
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

  #report({ nodeId, key, name, type, contentType }: EngineOutput, committed: CommittedOutput): void {
    const { sizeBytes, assetId, hash } = committed;
    const output = { nodeId, key, name, type, contentType, sizeBytes, assetId, hash };
    this.#reporter.durable({ kind: 'output_committed', output });
  }

  /** A failure of the intake or of the source ends `body`, and with it the upload. */
  #piped(source: Readable): Source {
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

/** Bytes to store, and another promise that must settle. */
interface Source {
  readonly body: Readable;
  readonly piping?: Promise<void>;
}
