/** Kinds of faults that a verification finds; `heddle history verify` prints these names. */
export type LogFaultKind =
  | 'gap'
  | 'hash'
  | 'version_order'
  | 'undecodable'
  | 'fold'
  | 'read_model'
  | 'head'
  | 'file_missing'
  | 'file_changed'
  | 'file_unlisted'
  | 'manifest'
  | 'unsequenced'
  | 'checkpoint'
  | 'partition';

/** One fault; a field that does not apply or is unknown is null. */
export interface LogFault {
  readonly fault: LogFaultKind;
  readonly seq: bigint | null;
  readonly eventId: string | null;
  readonly streamId: string | null;
  readonly version: number | null;
  /** Name of a checkpoint file, or path of a file within an export. */
  readonly file: string | null;
  /** A sentence for people. */
  readonly message: string;
}

export const MAX_FAULTS = 20;

/** Keeps the first faults and counts the rest, to bound memory. */
export class FaultList {
  readonly #found: LogFault[] = [];
  readonly #counts = new Map<LogFaultKind, number>();

  add(fault: LogFaultKind, message: string, at: Partial<Omit<LogFault, 'fault' | 'message'>> = {}): void {
    this.#counts.set(fault, this.count(fault) + 1);
    if (this.#found.length === MAX_FAULTS) return;
    this.#found.push({ fault, seq: null, eventId: null, streamId: null, version: null, file: null, ...at, message });
  }

  /** Adds the faults of another list. */
  addAll(other: FaultList): void {
    for (const { fault, message, ...at } of other.found) this.add(fault, message, at);
    for (const [fault, count] of other.#counts) {
      const kept = other.found.filter((one) => one.fault === fault).length;
      this.#counts.set(fault, this.count(fault) + count - kept);
    }
  }

  /** Number of faults of a kind, kept or not. */
  count(fault: LogFaultKind): number {
    return this.#counts.get(fault) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** At most `MAX_FAULTS` faults, in the order in which they were found. */
  get found(): readonly LogFault[] {
    return this.#found;
  }
}
