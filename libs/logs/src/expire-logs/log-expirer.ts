import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LogsDatabase } from '../logs-database.js';
import { EXPIRE_BATCH, EXPIRE_LOGS } from './expire-logs.sql.js';

const EVERY_MS = 60_000;

/** Deletes logs past the expiry of their jobs, whatever messages were lost. */
@Injectable()
export class LogExpirer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(LogExpirer.name);
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: LogsDatabase) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.expire().catch((error: unknown) => this.#logger.error(error));
    }, EVERY_MS);
    this.#timer.unref();
  }

  onApplicationShutdown(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** Returns the number of deleted logs. */
  async expire(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { rowCount } = await this.database.pool.query(EXPIRE_LOGS);
      deleted += rowCount ?? 0;
      if ((rowCount ?? 0) < EXPIRE_BATCH) return deleted;
    }
  }
}
