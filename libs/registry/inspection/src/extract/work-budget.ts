import { unfrozenTime } from '../unfrozen-time.js';
import type { DictValue } from './value.js';

/** Thrown where a bound of the extraction is reached; its message is the reason that is reported. */
export class BoundReached extends Error {
  /** The dict that was being made, with the entries so far. */
  unfinished?: DictValue;
}

const MAX_STEPS = 20_000_000;

/** What one extraction may spend: steps of evaluation, time, and syntax nodes that are kept. */
export class WorkBudget {
  private steps = 0;
  /** Syntax nodes that may still be read, of all files together. */
  nodes = 1_500_000;

  /** `deadline` in milliseconds of `unfrozenTime()`. */
  constructor(public deadline: number) {}

  /** Starts to count again, until another deadline. */
  renew(deadline: number): void {
    this.steps = 0;
    this.deadline = deadline;
  }

  /** Counts one step, or as many as items are copied. */
  readonly spend = (steps = 1): void => {
    const before = this.steps;
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw new BoundReached(`The package takes more than ${MAX_STEPS} steps to evaluate.`);
    if (this.steps >> 12 !== before >> 12) this.checkTime();
  };

  checkTime(): void {
    if (unfrozenTime() > this.deadline) throw new BoundReached('The package takes too long to read.');
  }
}
