import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';
import type { AssetsDatabase } from '../assets-database/assets-database.js';
import { SWEEP_EXPIRED } from '../expire-assets/expire-assets.sql.js';
import type { SweptRow } from '../expire-assets/expire-assets.sql.js';
import type { AssetsSettings } from '../settings.js';

/** Of assets.count_stored, with the limit as its detail. */
const OVER_STORAGE = 'HD413';
/** Bounds the work of one request, however many records have expired. */
const MAX_SWEEPS = 10;

/**
 * Commits a new record unless its account would then store more than it may. Bytes of expired records do not count: the
 * sweeper may be behind, so they are swept here before a refusal, but by a clock that is trusted.
 */
export async function withinStorage<T>(
  database: AssetsDatabase,
  { sweepBatch }: Pick<AssetsSettings, 'sweepBatch'>,
  commit: () => Promise<T>,
): Promise<Answer<T>> {
  for (let sweep = 0; ; sweep += 1) {
    try {
      return accepted(await commit());
    } catch (error) {
      const limit = exceededLimit(error);
      if (limit === null) throw error;
      const trustedUntilMs = sweep < MAX_SWEEPS ? await database.clock.look() : null;
      if (trustedUntilMs === null) return storageExceeded(limit);
      const swept = await database.query<SweptRow>(SWEEP_EXPIRED, [sweepBatch, trustedUntilMs]);
      if ((swept[0]?.swept ?? 0) === 0) return storageExceeded(limit);
    }
  }
}

function storageExceeded(limit: number): Answer<never> {
  const details = { limit: 'account_storage_bytes' };
  return rejected(refuse('payload_too_large', { case: 'account_storage', limit }, { details }));
}

function exceededLimit(error: unknown): number | null {
  if (!(error instanceof Error) || (error as Error & { code?: unknown }).code !== OVER_STORAGE) return null;
  return Number((error as Error & { detail?: unknown }).detail);
}
