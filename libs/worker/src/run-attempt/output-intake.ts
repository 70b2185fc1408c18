import type { CommittedOutput } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import type { LeaseReporter } from '../report-events/lease-reporter.js';
import type { WorkerSettings } from '../settings.js';
import type { AttemptControl } from './attempt-control.js';
import { fitOutput } from './fit-output.js';
import { KeptOutputs, readWhole } from './kept-outputs.js';
import type { OutputStore } from './output-store.js';

/**
 * Takes outputs as they appear and reports each in order once its bytes are durable; too many or too large ones stop
 * the job. The engine does not wait for the disk: small outputs are read whole and stored while it continues, within a
 * budget of bytes. Larger ones are streamed.
 */
export class OutputIntake {
  readonly #store: OutputStore;
  readonly #reporter: LeaseReporter;
  readonly #control: AttemptControl;
  readonly #settings: WorkerSettings;
  readonly #kept: KeptOutputs;
  #count = 0;

  constructor(store: OutputStore, reporter: LeaseReporter, control: AttemptControl, settings: WorkerSettings) {
    this.#store = store;
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

  /** Resolves when the engine may continue and drop the output. */
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
      const committed = await this.#store.piped(output);
      await this.#kept.settled();
      this.#report(output, committed);
      return;
    }
    await this.#kept.roomFor(sizeBytes);
    const bytes = await readWhole(output, sizeBytes);
    const storing = this.#store.kept(output, bytes);
    this.#kept.add(sizeBytes, storing, (committed) => this.#report(output, committed));
  }

  #report({ nodeId, key, name, type, contentType }: EngineOutput, committed: CommittedOutput): void {
    const { sizeBytes, assetId, hash } = committed;
    const output = { nodeId, key, name, type, contentType, sizeBytes, assetId, hash };
    this.#reporter.durable({ kind: 'output_committed', output });
  }
}
