import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { RepeatGuard } from '@heddle/platform-telemetry';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import { CREDENTIAL_KEYS } from './credential-keys.js';
import type { CredentialKeys } from './credential-keys.js';
import { sealedByKeySql } from './sealed-rows.sql.js';

const INTERVAL_MS = 5_000;
const FAILURE_LINE_MS = 60_000;

/** Reads the file of keys again when it changes, and counts for the operator which keys are still in use. */
@Injectable()
export class WatchCredentialKeys implements BackgroundTask, Observed {
  readonly failure = 'the sealed credentials were not counted';
  readonly needsClock = false;
  /** Rows by the id of their key; 0 for a key of the file that no row needs. */
  #inUse: ReadonlyMap<string, number> = new Map();
  readonly #failures = new RepeatGuard(FAILURE_LINE_MS);

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    @Inject(CREDENTIAL_KEYS) private readonly keys: CredentialKeys | null,
    private readonly log: BackgroundLogger,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    const read = () => [...this.#inUse].map(([keyId, rows]) => [{ key_id: keyId }, rows] as const);
    registry.gauge(JOBS_METRICS.sealedCredentials, read);
  }

  intervalMs(): number {
    return INTERVAL_MS;
  }

  async run(): Promise<boolean> {
    if (this.keys === null) return false;
    await this.#readAgain(this.keys);
    const { rows } = await this.pool.query<{ key_id: string; rows: number }>(sealedByKeySql);
    const inUse = rows.map((row) => [row.key_id, row.rows] as const);
    this.#inUse = new Map([...this.keys.ids.map((id) => [id, 0] as const), ...inUse]);
    return false;
  }

  async #readAgain(keys: CredentialKeys): Promise<void> {
    try {
      if (!(await keys.readAgain())) return;
      this.log.info('the keys of partner credentials were read again', { keyIds: keys.ids, newest: keys.newest.id });
    } catch (error) {
      const reason = errorMessage(error);
      const suppressed = this.#failures.admit(reason);
      if (suppressed !== null)
        this.log.warn('HEDDLE_CREDENTIAL_KEYS cannot be read again: the keys from before stay in use', {
          file: keys.file,
          reason,
          suppressed,
        });
    }
  }
}
