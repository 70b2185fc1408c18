/** Files of a run that are about to be numbered. */
export interface NumberedFiles {
  /** Whose run it is; empty: that of the only account */
  readonly account: string;
  /** Below the output folder */
  readonly subfolder: string;
  readonly base: string;
  readonly count: number;
}

/** Numbers for result files. Implementations pass `libs/engine/builtin/src/process/result-counters.suite.ts`. */
export interface ResultCounters {
  /** The first of `count` numbers in a row. */
  take(files: NumberedFiles): number | Promise<number>;
}

/** Folders and base names of accounts that are remembered; beyond, the longest unused start again at 1. */
const MAX_NAMES = 10_000;

/**
 * The numbers in result file names. A real engine looks into its output folder for the highest one; here every engine
 * instance behaves as if it had an output folder of its own, empty at its start and kept until it is closed, of which
 * only the numbers are remembered. Each account has its own: numbers would disclose how many files others have.
 */
export class NameCounters implements ResultCounters {
  private readonly last = new Map<string, number>();

  take({ account, subfolder, base, count }: NumberedFiles): number {
    // No file is ever called so, hence the engine finds none and starts at 1 each time.
    if (base.includes('%batch_num%')) return 1;
    const key = JSON.stringify([account, subfolder, base]);
    const first = (this.last.get(key) ?? 0) + 1;
    this.last.delete(key);
    this.last.set(key, first + count - 1);
    if (this.last.size > MAX_NAMES) {
      for (const oldest of this.last.keys()) {
        this.last.delete(oldest);
        break;
      }
    }
    return first;
  }
}
