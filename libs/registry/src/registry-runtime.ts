import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Sequencer } from '@heddle/platform-event-log';
import type { Logger } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { RegistryLog } from './commit-events/registry-log.js';
import { VersionInspector } from './inspect-versions/version-inspector.js';
import { REGISTRY_POOL } from './registry-pool.js';
import { REGISTRY_SCHEMA } from './registry-schema/registry-migrations.js';

/** The log of the process. */
export class RegistryLogger {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>) {}

  error(message: string, error: unknown): void {
    this.logger.error({ err: error }, message);
  }
}

/** How often versions are looked for that no commit of this process told of. */
const LOOK_MS = 5_000;

/** What runs beside the calls: numbers for the log, and the inspection of new versions. */
@Injectable()
export class RegistryRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #sequencer: Sequencer;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked = false;
  #stopped = false;

  constructor(
    @Inject(REGISTRY_POOL) pool: Pool,
    private readonly log: RegistryLog,
    private readonly inspector: VersionInspector,
    private readonly logger: RegistryLogger,
  ) {
    this.#sequencer = new Sequencer({ pool, schema: REGISTRY_SCHEMA });
  }

  onApplicationBootstrap(): void {
    this.#sequencer.start();
    this.log.onCommitted(() => this.#look());
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#sequencer.stop();
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
}
