import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { RepeatedWork, SweepClock } from '@heddle/platform-database';
import { LogsDatabase } from '../logs-database.js';
import { EXPIRE_BATCH, EXPIRE_LOGS } from './expire-logs.sql.js';

const EVERY_MS = 60_000;

/** Deletes logs past the expiry of their jobs, whatever messages were lost. */
@Injectable()
export class LogExpirer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(LogExpirer.name);
  readonly #rounds = new RepeatedWork(
    async () => {
      const trustedUntilMs = await this.clock.look();
      if (trustedUntilMs !== null) await this.expire(trustedUntilMs);
    },
    (error) => this.#logger.error(error),
  );

  constructor(
    private readonly database: LogsDatabase,
    private readonly clock: SweepClock,
  ) {}

  onApplicationBootstrap(): void {
    this.start(EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  start(everyMs: number): void {
    this.#rounds.start(everyMs);
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  /** Returns the number of deleted logs. */
  async expire(trustedUntilMs = Infinity): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { rowCount } = await this.database.pool.query({ ...EXPIRE_LOGS, values: [trustedUntilMs] });
      deleted += rowCount ?? 0;
      if ((rowCount ?? 0) < EXPIRE_BATCH) return deleted;
    }
  }
}
