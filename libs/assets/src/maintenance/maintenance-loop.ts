import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { isOutage, RepeatedWork } from '@heddle/platform-database';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { ClockGuard } from './clock-guard.js';
import { MaintenanceRound } from './maintenance-round.js';

const FAILED = 'a round of sweeps was not finished';
const DATABASE_TIME = {
  name: 'assets.database_time',
  text: `select extract(epoch from heddle.clock_now())::float8 * 1000 as ms`,
};

/** Repeats the service's sweeps from start to stop; any number of replicas may do so at once. */
@Injectable()
export class MaintenanceLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(MaintenanceLoop.name);
  readonly #guard = new ClockGuard();
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
    const [row] = await this.database.query<{ readonly ms: number }>(DATABASE_TIME, []);
    if (this.#guard.accepts(row!.ms, performance.now())) await this.round.run();
    else this.#logger.warn('the clock of the database has jumped: this round of sweeps is skipped');
  }

  /** The next round finds the same work. */
  #failed(error: unknown): void {
    if (isOutage(error))
      this.#logger.warn({ message: `${FAILED}: a dependency is unreachable`, reason: String(error) });
    else this.#logger.error({ message: FAILED, err: error });
  }
}
