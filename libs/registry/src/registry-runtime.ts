import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { RegistryLog } from './commit-events/registry-log.js';
import { VersionInspector } from './inspect-versions/version-inspector.js';
import { RegistryLogger } from './registry-logger.js';
import { REGISTRY_POOL } from './registry-pool.js';
import { REGISTRY_SCHEMA } from './registry-schema/registry-migrations.js';
import { RegistryRelay } from './relay-events/registry-relay.js';
import { PendingSweep } from './sweep-leftovers/pending-sweep.js';
import { UploadSweep } from './sweep-leftovers/upload-sweep.js';

/** How often versions are looked for that no commit of this process told of. */
const LOOK_MS = 5_000;
/** How often leftovers are looked for: versions and uploads whose bytes never came. */
const SWEEP_MS = 30_000;

/** What runs beside the calls: numbers for the log and its way to the bus, the inspection of new versions, and the end of what nobody finished. */
@Injectable()
export class RegistryRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  @Inject(PendingSweep) private readonly pending!: PendingSweep;
  @Inject(UploadSweep) private readonly uploads!: UploadSweep;
  @Inject(RegistryRelay) private readonly relay!: RegistryRelay;
  readonly #sequencer: Sequencer;
  #timers: readonly NodeJS.Timeout[] = [];
  #sweeping: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #asked = false;
  #stopped = false;

  constructor(
    @Inject(REGISTRY_POOL) pool: Pool,
    private readonly log: RegistryLog,
    private readonly inspector: VersionInspector,
    private readonly logger: RegistryLogger,
  ) {
    this.#sequencer = new Sequencer({
      pool,
      schema: REGISTRY_SCHEMA,
      onTurn: ({ count }) => {
        if (count > 0) this.relay.nudge();
      },
    });
  }

  onApplicationBootstrap(): void {
    this.#sequencer.start();
    this.relay.start();
    this.log.onCommitted(() => {
      this.#sequencer.nudge();
      this.#look();
    });
    this.#timers = [setInterval(() => this.#look(), LOOK_MS), setInterval(() => this.#sweep(), SWEEP_MS)];
    for (const timer of this.#timers) timer.unref();
    this.#look();
    this.#sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#running, this.#sweeping]);
    await this.#sequencer.stop();
    await this.relay.stop();
  }

  /** One look at a time; a commit during a look is looked at after it. */
  #look(): void {
    this.#asked = true;
    this.#running ??= this.#inspectAll().finally(() => {
      this.#running = null;
    });
  }

  async #inspectAll(): Promise<void> {
    const failed: string[] = [];
    while (this.#asked && !this.#stopped) {
      this.#asked = false;
      try {
        for (let found = await this.inspector.next(failed); found !== null; found = await this.inspector.next(failed)) {
          if (this.#stopped) return;
          await this.inspector.inspect(found).catch((error: unknown) => {
            failed.push(found!.version_id);
            this.logger.error('a version was not inspected: it is tried again', error);
          });
        }
      } catch (error) {
        this.logger.error('versions that wait were not found', error);
      }
    }
  }

  #sweep(): void {
    this.#sweeping ??= Promise.all([this.pending.run(), this.uploads.run()])
      .then(() => undefined)
      .catch((error: unknown) => this.logger.error('leftovers were not swept: it is tried again', error))
      .finally(() => {
        this.#sweeping = null;
      });
  }
}
