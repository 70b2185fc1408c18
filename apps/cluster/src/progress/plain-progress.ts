import { seconds } from './progress.js';
import type { Progress } from './progress.js';

/** Minimum rate of lines in a CI log. */
const REMINDER_MS = 10_000;

/** One line at the start and one at the end of each step, for logs and pipes. */
export class PlainProgress implements Progress {
  constructor(private readonly print: (line: string) => void) {}

  async step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const took = (): string => seconds(performance.now() - startedAt);
    this.print(`${name}: starting`);
    const reminder = setInterval(() => this.print(`${name}: still starting after ${took()}`), REMINDER_MS).unref();
    try {
      const made = await work((text) => this.print(`${name}: ${text}`));
      this.print(`${name}: ready after ${took()}`);
      return made;
    } finally {
      clearInterval(reminder);
    }
  }

  say(line: string): void {
    this.print(line);
  }
}
