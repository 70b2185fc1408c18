import type { Answer } from './answer.js';

/**
 * An operator's decisions on bytes by their hash, whether they are stored or not (decisions, Moderation).
 * Implementations pass `test/internal-calls/asset-ports.suite.ts`.
 */
export interface ModerationPort {
  /** Refuses a malformed hash with `invalid_request`. */
  decide(hash: string, decision: ModerationDecision): Promise<Answer<HashVerdict>>;
  /** A hash without a decision is neither blocked nor held. Refuses as `decide` does. */
  verdict(hash: string): Promise<Answer<HashVerdict>>;
}
export const MODERATION_PORT = Symbol('ModerationPort');

/** Block and hold are independent: `release` ends a hold, and `unblock` a block. */
export type ModerationDecision = 'block' | 'unblock' | 'hold' | 'release';

export interface HashVerdict {
  readonly hash: string;
  /** These bytes cannot be uploaded, minted or read, and no job starts with them. */
  readonly blocked: boolean;
  /** The owners of records over these bytes cannot delete them. */
  readonly held: boolean;
  /** Whose decision is the newest: an operator's, the hash list's, the scanner's; null: not known. */
  readonly source: VerdictSource | null;
  /** ISO 8601; null: there is no decision. */
  readonly decidedAt: string | null;
}

export type VerdictSource = 'admin' | 'hashes' | 'scanner';
