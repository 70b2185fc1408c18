import { Injectable } from '@nestjs/common';
import { isBlobHash } from '@heddle/assets-domain';
import { accepted, BLOB_HASH_RULE, invalidFields, rejected } from '@heddle/contracts-messages';
import type { Answer, HashVerdict, ModerationDecision } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { VerdictWriter } from './verdict-writer.js';
import { FIND_VERDICT } from './verdicts.sql.js';
import type { VerdictRow } from './verdicts.sql.js';

/** An operator's decisions on bytes by their hash, whether they are stored or not (decisions, Moderation). */
@Injectable()
export class ModerateHashHandler {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly verdicts: VerdictWriter,
  ) {}

  async handle(hash: string, decision: ModerationDecision): Promise<Answer<HashVerdict>> {
    if (!isBlobHash(hash)) return malformed();
    return accepted(verdictOf(await this.verdicts.decided(hash, decision)));
  }

  async verdict(hash: string): Promise<Answer<HashVerdict>> {
    if (!isBlobHash(hash)) return malformed();
    const [row] = await this.database.query<VerdictRow>(FIND_VERDICT, [hash]);
    if (row === undefined) return accepted({ hash, blocked: false, held: false, source: null, decidedAt: null });
    return accepted(verdictOf(row));
  }
}

function verdictOf({ hash, blocked, held, source, decided_at }: VerdictRow): HashVerdict {
  return { hash, blocked, held, source, decidedAt: decided_at.toISOString() };
}

function malformed(): Answer<HashVerdict> {
  return rejected(invalidFields({ hash: BLOB_HASH_RULE }));
}
