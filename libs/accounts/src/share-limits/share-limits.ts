import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { JOB_LIMITS_PORT, STORAGE_PORT } from '@heddle/contracts-messages';
import type { JobLimitsPort, StoragePort } from '@heddle/contracts-messages';
import { limitsOf } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { NOTE_SHARED, UNSHARED } from './share-limits.sql.js';
import type { UnsharedRow } from './share-limits.sql.js';

const SHARE_EVERY_MS = 2_000;
const BATCH = 100;

/**
 * Gives the limits of accounts to the services that enforce them, which keep them in their own rows: at once after a
 * change, and again until they have it. Several gateways may do so for one change; its version makes that harmless.
 */
@Injectable()
export class ShareLimits implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(ShareLimits.name);
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<boolean> = Promise.resolve(true);
  #failed = false;

  constructor(
    private readonly database: AccountsDatabase,
    @Optional() @Inject(JOB_LIMITS_PORT) private readonly jobs: JobLimitsPort | undefined,
    @Optional() @Inject(STORAGE_PORT) private readonly storage: StoragePort | undefined,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.share(), SHARE_EVERY_MS);
    this.#timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** Resolves once the changes that were committed before have been given, or could not be: they are tried again. */
  async share(): Promise<void> {
    this.#round = this.#round.then(async () => await this.#shareAll());
    const wasShared = await this.#round;
    this.#failed = !wasShared;
  }

  async #shareAll(): Promise<boolean> {
    try {
      for (;;) {
        const rows = await this.database.query<UnsharedRow>(UNSHARED, [BATCH]);
        for (const row of rows) await this.#give(row);
        if (rows.length < BATCH) return true;
      }
    } catch (error) {
      // The first failure of a row is reported; the next ones are the same outage.
      if (!this.#failed) this.#logger.warn({ message: 'limits of accounts were not shared', reason: String(error) });
      return false;
    }
  }

  async #give(row: UnsharedRow): Promise<void> {
    const { account_id: accountId } = row;
    const version = Number(row.limits_version);
    const { queueDepth, running, storageBytes } = limitsOf(row);
    await this.jobs?.limitAccount(accountId, { queueDepth, running }, version);
    await this.storage?.limitAccount(accountId, storageBytes, version);
    await this.database.query(NOTE_SHARED, [accountId, version]);
  }
}
