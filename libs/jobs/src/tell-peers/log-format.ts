import { formatOfJobEvent, JOB_EVENT_FORMAT } from '@heddle/jobs-domain';
import type { JobEventType } from '@heddle/jobs-domain';
import type { Pool } from 'pg';

/** Looks, a beat apart, in which every replica read a format before it may be written: time to stop an update that goes wrong. */
const STEADY_LOOKS = 30;

/** This build reads less than what others write already. */
export class LogFormatTooNewError extends Error {
  override readonly name = 'LogFormatTooNewError';
  constructor(floor: number, reads: number) {
    super(
      `The log of jobs has events of format ${floor}, and this build of Heddle reads up to format ${reads}. ` +
        'Start a build that reads it, as the replicas do that wrote it, or restore the database to a time before they did.',
    );
  }
}

/** An event that some live replica may be unable to read was about to be written: a defect of its writer, which asks `allows` first. */
export class FormatNotAllowedError extends Error {
  override readonly name = 'FormatNotAllowedError';
}

/**
 * The newest format of the log that may be written. It only rises, and only when every replica in the table reads the
 * next one and did so for a while; a row of a build that says nothing reads format 1 and holds it down for as long as it lives.
 */
export class LogFormat {
  #floor = 1;
  #steady = 0;

  constructor(
    private readonly pool: Pool,
    /** Of this build. */
    readonly reads: number = JOB_EVENT_FORMAT,
    private readonly formatOf: (type: JobEventType) => number = formatOfJobEvent,
  ) {}

  get floor(): number {
    return this.#floor;
  }

  /** Whether events of this type may be written as this build writes them. */
  allows(type: JobEventType): boolean {
    return this.formatOf(type) <= this.#floor;
  }

  /** The last line before the log. Throws `FormatNotAllowedError`. */
  assertAllowed(types: Iterable<JobEventType>): void {
    for (const type of types) {
      if (this.allows(type)) continue;
      throw new FormatNotAllowedError(
        `${type} is of format ${this.formatOf(type)}, and some replica may read up to format ${this.#floor} only`,
      );
    }
  }

  /** At the start, after this replica's row is in the table. Throws `LogFormatTooNewError`. */
  async join(): Promise<void> {
    const { rows } = await this.pool.query<{ floor: number }>('select jobs.log_format_now() as floor');
    this.#floor = rows[0]?.floor ?? 1;
    if (this.#floor > this.reads) throw new LogFormatTooNewError(this.#floor, this.reads);
  }

  /** Once a beat: `lowest` is the format that every replica in the table reads. */
  async look(lowest: number): Promise<void> {
    const target = Math.min(lowest, this.reads);
    this.#steady = target > this.#floor ? this.#steady + 1 : 0;
    if (this.#steady < STEADY_LOOKS) return;
    this.#steady = 0;
    const { rows } = await this.pool.query<{ floor: number }>('select jobs.raise_log_format($1) as floor', [target]);
    this.#floor = rows[0]?.floor ?? this.#floor;
  }
}
