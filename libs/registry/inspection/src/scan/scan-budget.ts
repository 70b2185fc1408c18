import { unfrozenTime } from '../unfrozen-time.js';

/**
 * Of the processor, not of the clock: beside other work on the machine an ordinary file must not run out of it. Ordinary
 * code takes a third.
 */
const MS_OF_A_PACKAGE = 300;
const MS_PER_BYTE = 2_500 / 1_048_576;

/** What the scan of a package may take: 3 s for 1 MiB (registry decisions, Scan). What a file leaves is the next one's. */
export class ScanBudget {
  readonly #begun = process.threadCpuUsage();
  #granted = MS_OF_A_PACKAGE;

  /** `deadline`: milliseconds of `unfrozenTime()`. `share`: of the time of a package. */
  constructor(
    private readonly deadline: number,
    private readonly share = 1,
  ) {}

  /** For one more file. */
  grant(bytes: number): void {
    this.#granted += bytes * MS_PER_BYTE;
  }

  isSpent(): boolean {
    const { user, system } = process.threadCpuUsage(this.#begun);
    return (user + system) / 1_000 > this.#granted * this.share || unfrozenTime() > this.deadline;
  }
}
