import type { AssetsDatabase } from '../assets-database/assets-database.js';
import type { SilenceStatements, SweptRow } from './expire-assets.sql.js';

export interface SilenceBounds {
  readonly ageMs: number;
  /** By the clock of this process, from when a row was first found to when it is ended. */
  readonly patienceMs: number;
  readonly mostRows: number;
}

/**
 * Ends rows that nobody has named in all their time. Their age is the database's word, and its clock may have been wrong
 * when they were written: what was made by a clock an hour back looks an hour old at once. So a row that is found is
 * ended only when it is found still after a while by a clock that does not jump: by then its job's events have come.
 */
export class PatientSweep {
  #found: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly database: AssetsDatabase,
    private readonly statements: SilenceStatements,
    private readonly bounds: SilenceBounds,
  ) {}

  /** Returns how many rows went. */
  async run(): Promise<number> {
    const { ageMs, patienceMs, mostRows } = this.bounds;
    const rows = await this.database.query<{ readonly key: string }>(this.statements.find, [mostRows, ageMs]);
    const now = performance.now();
    const found = new Map(rows.map(({ key }) => [key, this.#found.get(key) ?? now]));
    this.#found = found;
    const due = [...found].filter(([, since]) => now - since >= patienceMs).map(([key]) => key);
    if (due.length === 0) return 0;
    const [row] = await this.database.query<SweptRow>(this.statements.end, [due, ageMs]);
    return row!.swept;
  }
}
