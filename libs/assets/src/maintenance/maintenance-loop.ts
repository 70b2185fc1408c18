import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { isOutage, RepeatedWork } from '@heddle/platform-database';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { MaintenanceRound } from './maintenance-round.js';

const FAILED = 'a round of sweeps was not finished';

/** Repeats the service's sweeps from start to stop; any number of replicas may do so at once. */
@Injectable()
export class MaintenanceLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(MaintenanceLoop.name);
  readonly #born = performance.now();
  readonly #rounds = new RepeatedWork(
    () => this.#run(),
    (error) => this.#failed(error),
  );

  constructor(
    private readonly round: MaintenanceRound,
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {}

  /** Runs before the first request: leftovers of a killed process are gone when this one serves. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.soleProcess) await this.round.afterCrash(performance.now() - this.#born);
    const { sweepIntervalMs } = this.settings;
    if (sweepIntervalMs > 0) this.#rounds.start(sweepIntervalMs, sweepIntervalMs);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#rounds.stop();
  }

  async #run(): Promise<void> {
    const trustedUntilMs = await this.database.clock.look();
    if (trustedUntilMs !== null) await this.round.run(trustedUntilMs);
  }

  /** The next round finds the same work. */
  #failed(error: unknown): void {
    if (isOutage(error))
      this.#logger.warn({ message: `${FAILED}: a dependency is unreachable`, reason: String(error) });
    else this.#logger.error({ message: FAILED, err: error });
  }
}
