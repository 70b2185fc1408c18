/** What a verification can find wrong with a log; the names are those that `heddle history verify` prints. */
export type LogFaultKind =
  | 'gap'
  | 'hash'
  | 'version_order'
  | 'undecodable'
  | 'fold'
  | 'read_model'
  | 'head'
  | 'unsequenced'
  | 'checkpoint'
  | 'partition';

/** One fault; a field is null where it does not apply or is not known. */
export interface LogFault {
  readonly fault: LogFaultKind;
  readonly seq: bigint | null;
  readonly eventId: string | null;
  readonly streamId: string | null;
  readonly version: number | null;
  /** Name of a checkpoint's file. */
  readonly file: string | null;
  /** What is wrong, in a sentence. */
  readonly message: string;
}

export const MAX_FAULTS = 20;

/** Keeps the first faults and counts the others, so that a log full of faults needs no memory. */
export class FaultList {
  readonly #found: LogFault[] = [];
  readonly #counts = new Map<LogFaultKind, number>();

  add(fault: LogFaultKind, message: string, at: Partial<Omit<LogFault, 'fault' | 'message'>> = {}): void {
    this.#counts.set(fault, this.count(fault) + 1);
    if (this.#found.length === MAX_FAULTS) return;
    this.#found.push({ fault, seq: null, eventId: null, streamId: null, version: null, file: null, ...at, message });
  }

  /** Adds what another list has found. */
  addAll(other: FaultList): void {
    for (const { fault, message, ...at } of other.found) this.add(fault, message, at);
    for (const [fault, count] of other.#counts) {
      const kept = other.found.filter((one) => one.fault === fault).length;
      this.#counts.set(fault, this.count(fault) + count - kept);
    }
  }

  /** How many of a kind were found, kept or not. */
  count(fault: LogFaultKind): number {
    return this.#counts.get(fault) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** At most `MAX_FAULTS`, in the order in which they were found. */
  get found(): readonly LogFault[] {
    return this.#found;
  }
}
