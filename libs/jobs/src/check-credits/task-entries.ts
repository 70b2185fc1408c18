import { uuidOfKey } from '@heddle/platform-database';
import type { BinaryRow } from '@heddle/platform-database';
import { PART_TASK_ENTRIES } from './check-credits.sql.js';

interface TaskEntry {
  readonly kind: string;
  readonly account: string;
  readonly entryId: number;
  readonly amount: number;
  readonly charged: number;
  readonly ageMs: number;
}

/**
 * Walks the rows of `taskEntriesSql` task by task: a settle has its reserve, of the same account, and shares it out. The
 * life of a task is the partner proxy's, so a reserve without a settle is a problem by its age alone.
 */
export class TaskEntries {
  readonly #reserve: TaskEntry[] = [];
  readonly #settle: TaskEntry[] = [];
  #rows = 0;
  #current: string | null = null;
  #lastJudged: string | null = null;

  constructor(
    /** Time that a task may take until it is settled. */
    private readonly settleMs: number,
    private readonly problem: (text: string) => void,
  ) {}

  take(row: BinaryRow): void {
    this.#rows += 1;
    const key = row.key(0);
    if (this.#current !== key) this.#judge();
    this.#current = key;
    const kind = row.text(1);
    (kind === 'reserve' ? this.#reserve : this.#settle).push({
      kind,
      account: row.key(2),
      entryId: row.integer(3),
      amount: row.integer(4),
      charged: row.isNull(5) ? 0 : row.integer(5),
      ageMs: row.integer(6),
    });
  }

  /** Returns the task after which the next part begins; null: this was the last part. */
  end(): string | null {
    // Its settle may be the first row of the next part.
    if (this.#rows === PART_TASK_ENTRIES) return uuidOfKey(this.#lastJudged!);
    this.#judge();
    return null;
  }

  #judge(): void {
    if (this.#current === null) return;
    const task = uuidOfKey(this.#current);
    const [reserve] = this.#reserve.splice(0);
    const [settle] = this.#settle.splice(0);
    this.#lastJudged = this.#current;
    this.#current = null;
    const trouble = troubleOf(reserve, settle, this.settleMs);
    if (trouble === null) return;
    const { kind, entryId, account } = settle ?? reserve!;
    this.problem(`${kind} entry ${entryId} of account ${uuidOfKey(account)}: task ${task} ${trouble}`);
  }
}

/** Null: the entries of a task agree. */
function troubleOf(reserve: TaskEntry | undefined, settle: TaskEntry | undefined, settleMs: number): string | null {
  if (reserve === undefined) return 'has no reserve entry';
  const reserved = -reserve.amount;
  if (settle === undefined) {
    if (reserve.ageMs <= settleMs) return null;
    return `reserved ${reserved} credits ${Math.floor(reserve.ageMs / 1_000)} s ago, and has no settle entry`;
  }
  if (settle.account !== reserve.account) return `was reserved for account ${uuidOfKey(reserve.account)}`;
  if (settle.charged + settle.amount === reserved) return null;
  return `reserved ${reserved}, the entry charged ${settle.charged} and returned ${settle.amount}`;
}
