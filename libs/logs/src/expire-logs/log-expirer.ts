import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LogsDatabase } from '../logs-database.js';

const EVERY_MS = 60_000;
const AT_ONCE = 500;

/** Jobs are purged soon after their expiry; this removes logs whose purge message was lost. */
const expireSql = `
delete from logs.execution_log where job_id in (
  select job_id from logs.execution_log where expires_at < heddle.clock_now() - interval '1 hour'
  order by expires_at limit ${AT_ONCE} for update skip locked)`;

/** Covers lost messages of the bus. */
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

  /** Returns the number of removed logs. */
  async expire(): Promise<number> {
    let removed = 0;
    for (;;) {
      const { rowCount } = await this.database.pool.query(expireSql);
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < AT_ONCE) return removed;
    }
  }
}
