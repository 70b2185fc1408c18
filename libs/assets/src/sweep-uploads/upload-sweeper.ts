import { Injectable } from '@nestjs/common';
import { trustedNowSql } from '@heddle/platform-database';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';

/**
 * Turns intents with an expired lease into delete tasks. An uploader that is merely slow finds its intent gone when it
 * commits, and fails; what it stores until then is deleted a second time. Parameters: maximum rows, age in milliseconds
 * from which a lease is ignored, or null; milliseconds to the second deletion; until when the clock is trusted.
 */
const SWEEP_INTENTS: Statement = {
  name: 'assets.sweep_intents',
  text: `with due as (
           select object_key from assets.upload where lease_until <= ${trustedNowSql(4)}
             or started_at <= heddle.clock_now() - $2::float8 * interval '1 millisecond'
           limit $1 for update skip locked
         ), gone as (
           delete from assets.upload u using due where u.object_key = due.object_key returning u.object_key
         ), tasks as (
           insert into assets.delete_task (object_key, created_at, again_at)
           select object_key, now.at, case when $2::float8 is null then now.at + $3 * interval '1 millisecond' end
           from gone, (select heddle.clock_now() as at) now
         )
         select count(*)::int as swept from gone`,
};

/** Finds what interrupted uploads and outputs left behind. */
@Injectable()
export class UploadSweeper {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {}

  /** `olderThanMs`: also uploads whose lease began this long ago, for a process that is alone. */
  async run(olderThanMs: number | null = null, trustedUntilMs = Infinity): Promise<number> {
    let total = 0;
    for (;;) {
      const [row] = await this.database.query<{ readonly swept: number }>(SWEEP_INTENTS, [
        this.settings.sweepBatch,
        olderThanMs,
        this.settings.uploadLeaseMs,
        trustedUntilMs,
      ]);
      total += row!.swept;
      if (row!.swept < this.settings.sweepBatch) return total;
    }
  }
}
