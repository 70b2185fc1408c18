import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommittedOutput, JobLease, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import type { LeaseReporter } from '../report-events/lease-reporter.js';
import type { WorkerSettings } from '../worker-settings.js';
import type { AttemptControl } from './attempt-control.js';
import { waitOutOutage } from './wait-out-outage.js';

/** Stores outputs as they appear and reports each once its bytes are durable; too many or too large ones stop the job. */
export class OutputIntake {
  readonly #assets: WorkerAssetsPort;
  readonly #lease: JobLease;
  readonly #reporter: LeaseReporter;
  readonly #control: AttemptControl;
  readonly #settings: WorkerSettings;
  #count = 0;

  constructor(
    assets: WorkerAssetsPort,
    lease: JobLease,
    reporter: LeaseReporter,
    control: AttemptControl,
    settings: WorkerSettings,
  ) {
    this.#assets = assets;
    this.#lease = lease;
    this.#reporter = reporter;
    this.#control = control;
    this.#settings = settings;
  }

  async take(output: EngineOutput): Promise<void> {
    this.#count += 1;
    const tooLarge = output.sizeBytes !== null && output.sizeBytes > this.#settings.maxOutputBytes;
    if (this.#count > this.#settings.maxOutputs || tooLarge) {
      this.#control.stop('output_limit');
      return;
    }
    // Its bytes may be read from the beginning as long as this has not settled.
    const committed = await waitOutOutage(
      async () => await this.#store(output),
      this.#settings.outageMs,
      this.#control.signal,
    );
    this.#reporter.durable({
      kind: 'output_committed',
      output: {
        nodeId: output.nodeId,
        key: output.key,
        name: output.name,
        type: output.type,
        contentType: output.contentType,
        sizeBytes: committed.sizeBytes,
        assetId: committed.assetId,
        hash: committed.hash,
      },
    });
  }

  async #store(output: EngineOutput): Promise<CommittedOutput> {
    const { jobId, fence, accountId, deploymentId } = this.#lease;
    const source = await output.open();
    const body = this.#limited();
    // The intake's own failure and the source's both end `body`, and with it the upload.
    const piping = pipeline(source, body);
    const committing = this.#assets.commitOutput(
      { jobId, fence, principal: { accountId, deploymentId } },
      {
        key: output.key,
        name: output.name,
        type: output.type,
        contentType: output.contentType,
        expiresAt: this.#lease.jobExpiresAt,
        body,
      },
    );
    try {
      const [committed] = await Promise.all([committing, piping]);
      return committed;
    } catch (error) {
      // Whichever of the two is left ends before anybody tries again.
      body.destroy();
      await Promise.allSettled([committing, piping]);
      throw error;
    }
  }

  #limited(): Transform {
    let left = this.#settings.maxOutputBytes;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        left -= chunk.length;
        if (left >= 0) return done(null, chunk);
        this.#control.stop('output_limit');
        return done(new Error('an output is larger than the limit'));
      },
    });
  }
}
