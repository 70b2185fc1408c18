import { isConnectionLoss } from '../connect/transient-failures.js';

type Facts = Readonly<Record<string, unknown>>;

/** What is used of the log of the process. */
interface Lines {
  info(facts: Facts, line: string): void;
  warn(facts: Facts, line: string): void;
  error(facts: Facts, line: string): void;
}

/** Logs what no caller waits for: once, where it happens. Without a log of the process it logs nothing. */
export class BackgroundLogger {
  constructor(private readonly lines: Lines | null) {}

  error(what: string, error: unknown): void {
    // Every loop of the service meets the same outage: no defect, and no stack is needed.
    if (isConnectionLoss(error)) this.lines?.warn({ reason: String(error) }, `${what}: the database is unreachable`);
    else this.lines?.error({ err: error }, what);
  }

  warn(what: string, facts: Facts = {}): void {
    this.lines?.warn(facts, what);
  }

  info(what: string, facts: Facts): void {
    this.lines?.info(facts, what);
  }
}
