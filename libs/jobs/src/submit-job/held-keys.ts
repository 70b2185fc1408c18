import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { GroupCommit } from '../group-commit/group-commit.js';
import { plainArray } from '../group-commit/byte-arena.js';
import { JobsSettings } from '../settings.js';
import { heldKeysSql } from './submission.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

interface KeyQuestion {
  readonly accountId: string;
  readonly key: string;
}

/** Checks whether an account holds a key; concurrent checks share a query. */
@Injectable()
export class HeldKeys {
  readonly #group: GroupCommit<KeyQuestion, boolean>;

  constructor(@Inject(JOBS_POOL) pool: Pool, settings: JobsSettings) {
    this.#group = new GroupCommit(
      async (questions) => {
        const { rows } = await pool.query<{ ord: number }>({
          name: 'held-keys',
          text: heldKeysSql,
          values: [
            plainArray(questions.map((one) => one.accountId)),
            questions.map((one) => one.key),
            settings.keyLifeMs,
          ],
        });
        const held = new Set(rows.map((row) => row.ord));
        return questions.map((_, index) => held.has(index + 1));
      },
      { batchSize: settings.batchSize, inFlight: 2 },
    );
  }

  async isHeld(accountId: string, key: string): Promise<boolean> {
    return await this.#group.add({ accountId, key });
  }
}
