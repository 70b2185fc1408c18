/** Numbers for result files. */
export interface ResultCounters {
  /** The first of `count` numbers in a row for files of this base name in this subfolder of the output folder. */
  take(subfolder: string, base: string, count: number): number | Promise<number>;
}

/** Folder and base name pairs that are remembered; beyond, the longest unused start again at 1. */
const MAX_NAMES = 10_000;

/**
 * The numbers in result file names. A real engine looks into its output folder for the highest one; here every engine
 * instance behaves as if it had an output folder of its own, empty at its start and kept until it is closed, of which
 * only the numbers are remembered.
 */
export class NameCounters implements ResultCounters {
  private readonly last = new Map<string, number>();

  /** The first of `count` numbers in a row. */
  take(folder: string, base: string, count: number): number {
    // No file is ever called so, hence the engine finds none and starts at 1 each time.
    if (base.includes('%batch_num%')) return 1;
    const key = JSON.stringify([folder, base]);
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
