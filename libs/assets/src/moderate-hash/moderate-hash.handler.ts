import { Injectable } from '@nestjs/common';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { EventfulStatement } from '../assets-database/assets-database.js';

/** Parameters: hash, blocked, held. */
const setVerdict = `insert into assets.verdict (hash, blocked, held, decided_at) values ($1, $2, $3, heddle.clock_now())
         on conflict (hash) do update
           set blocked = excluded.blocked, held = excluded.held, decided_at = excluded.decided_at`;
const SET_VERDICT: EventfulStatement = {
  quiet: { name: 'assets.set_verdict', text: setVerdict },
  recording: {
    name: 'assets.set_verdict_recording',
    text: `with judged as (${setVerdict} returning hash, blocked, decided_at)
         insert into assets.outbox (type, hash, recorded_at)
         select case when blocked then 'HashBlocked' else 'HashUnblocked' end, hash, decided_at from judged`,
  },
};

/** Blocked bytes cannot be uploaded, minted, held or read; held ones cannot be deleted by their owners. */
export interface Verdict {
  readonly blocked: boolean;
  readonly held: boolean;
}

/** Stores the verdict on bytes by their hash, whether they are stored or not (decisions, Moderation). */
@Injectable()
export class ModerateHashHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(hash: string, verdict: Verdict): Promise<void> {
    await this.database.query(SET_VERDICT, [hash, verdict.blocked, verdict.held]);
  }
}
