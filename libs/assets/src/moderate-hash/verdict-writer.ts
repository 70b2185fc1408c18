import { Injectable } from '@nestjs/common';
import type { ModerationDecision } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { SET_VERDICTS } from './verdicts.sql.js';
import type { JudgedRow } from './verdicts.sql.js';

/** `by_hand`: the scanner and the list do not change this decision; `scanned`: the hash needs no scan any more. */
interface Judgement {
  readonly blocked: boolean | null;
  readonly held: boolean | null;
  readonly source: 'admin' | 'hashes' | 'scanner';
  readonly byHand?: boolean;
  readonly scanned?: boolean;
}

export type ScanVerdict = 'clean' | 'blocked' | 'held';

const BY_OPERATOR: Readonly<Record<ModerationDecision, Judgement>> = {
  block: { blocked: true, held: null, source: 'admin', byHand: true },
  unblock: { blocked: false, held: null, source: 'admin', byHand: true },
  hold: { blocked: null, held: true, source: 'admin' },
  release: { blocked: null, held: false, source: 'admin' },
};

const BY_SCANNER: Readonly<Record<ScanVerdict, Judgement>> = {
  clean: { blocked: null, held: null, source: 'scanner', scanned: true },
  blocked: { blocked: true, held: null, source: 'scanner', scanned: true },
  held: { blocked: null, held: true, source: 'scanner', scanned: true },
};

/** Writes the verdicts of operators, of the list and of the scanner. Each takes effect when its row is committed. */
@Injectable()
export class VerdictWriter {
  constructor(private readonly database: AssetsDatabase) {}

  async decided(hash: string, decision: ModerationDecision): Promise<JudgedRow> {
    const [row] = await this.#write([hash], BY_OPERATOR[decision]);
    return row!;
  }

  async listed(hashes: readonly string[]): Promise<readonly JudgedRow[]> {
    return await this.#write(hashes, { blocked: true, held: null, source: 'hashes' });
  }

  async scanned(hash: string, verdict: ScanVerdict): Promise<void> {
    await this.#write([hash], BY_SCANNER[verdict]);
  }

  async #write(hashes: readonly string[], judgement: Judgement): Promise<readonly JudgedRow[]> {
    const { blocked, held, source, byHand = false, scanned = false } = judgement;
    return await this.database.query<JudgedRow>(SET_VERDICTS, [hashes, blocked, held, source, byHand, scanned]);
  }
}
