import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { JobId, PartnerCredentials } from '@heddle/contracts-messages';
import { RepeatGuard } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import type { CredentialSearch } from '../notify-peers/peers.js';
import { CREDENTIAL_KEYS } from './credential-keys.js';
import type { CredentialKeys } from './credential-keys.js';
import { seal, unseal } from './sealed-credentials.js';
import type { SealedCredentials } from './sealed-credentials.js';
import { findSealedSql } from './sealed-rows.sql.js';
import type { SealedRow } from './sealed-rows.sql.js';

const LINE_MS = 60_000;

/** Seals partner credentials for their row, and reads such rows (docs/architecture/16-secrets.md). */
@Injectable()
export class SealedRows {
  readonly #lines = new RepeatGuard(LINE_MS);

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    @Inject(CREDENTIAL_KEYS) private readonly keys: CredentialKeys | null,
    private readonly log: BackgroundLogger,
    private readonly metrics: JobsMetrics,
  ) {}

  seal(jobId: JobId, credentials: PartnerCredentials): SealedCredentials {
    return seal(jobId, credentials, this.#keys.newest);
  }

  /** `nobody`: the job has no row. `unknown`: no key of the file opens it; the job waits for that key. */
  async find(jobId: JobId): Promise<CredentialSearch> {
    const query = { name: 'find-sealed', text: findSealedSql, values: [jobId] };
    const row = (await this.pool.query<SealedRow>(query)).rows[0];
    if (row === undefined) return 'nobody';
    const { key_id: keyId, key_nonce: keyNonce, wrapped_key: wrappedKey, nonce, ciphertext } = row;
    const key = this.#keys.find(keyId);
    if (key === undefined) return this.#unreadable('unknown_key', jobId, keyId);
    try {
      return unseal({ jobId, keyId, keyNonce, wrappedKey, nonce, ciphertext }, key);
    } catch {
      return this.#unreadable('wrong_key', jobId, keyId);
    }
  }

  get #keys(): CredentialKeys {
    if (this.keys === null) throw new Error('a surface with sealed credentials was started without their keys');
    return this.keys;
  }

  #unreadable(reason: 'unknown_key' | 'wrong_key', jobId: JobId, keyId: string): 'unknown' {
    this.metrics.credentialsUnreadable(reason);
    const suppressed = this.#lines.admit(`${reason} ${keyId}`);
    if (suppressed === null) return 'unknown';
    const { file } = this.#keys;
    const what =
      reason === 'unknown_key'
        ? 'a job waits: its credentials are sealed with a key that HEDDLE_CREDENTIAL_KEYS does not have; put the key back'
        : 'a job waits: its sealed credentials do not open with the key of their id; the key or the row was changed';
    this.log.warn(what, { jobId, keyId, file, suppressed });
    return 'unknown';
  }
}
