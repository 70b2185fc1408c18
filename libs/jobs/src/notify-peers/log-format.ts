import { formatOfJobEvent, JOB_EVENT_FORMAT } from '@heddle/jobs-domain';
import type { JobEventType } from '@heddle/jobs-domain';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';

/**
 * Looks, one per heartbeat, during which every replica must read a format before it may be written: time to stop a bad
 * rollout.
 */
const STEADY_LOOKS = 30;

/** No such schema, function or table. */
const NO_LOG = new Set(['3F000', '42883', '42P01']);

/** This build reads less than other replicas already write. */
export class LogFormatTooNewError extends Error {
  override readonly name = 'LogFormatTooNewError';
  constructor(floor: number, reads: number) {
    super(
      `The log of jobs has events of format ${floor}, and this build of Heddle reads up to format ${reads}. ` +
        'Start a build that reads this format, or restore the database to a time before it was written.',
    );
  }
}

/**
 * An event was about to be written that some live replica may be unable to read: a bug of its writer, which must check
 * `allows` first.
 */
export class FormatNotAllowedError extends Error {
  override readonly name = 'FormatNotAllowedError';
}

/**
 * The newest log format that may be written. It only rises, and only if every replica in the table has read the next
 * one for a while; a row of a build without a format counts as 1 and holds it down while it lives.
 */
export class LogFormat implements Observed {
  #floor = 1;
  #steady = 0;

  constructor(
    private readonly pool: Pool,
    /** The format that this build reads. */
    readonly reads: number = JOB_EVENT_FORMAT,
    private readonly formatOf: (type: JobEventType, schemaVersion?: number) => number = formatOfJobEvent,
  ) {}

  get floor(): number {
    return this.#floor;
  }

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.logFormat, () => [
      [{ kind: 'reads' }, this.reads],
      [{ kind: 'floor' }, this.#floor],
    ]);
  }

  /** True if events of this type may be written; without a schema version, in the one that nearly all events have. */
  allows(type: JobEventType, schemaVersion?: number): boolean {
    return this.formatOf(type, schemaVersion) <= this.#floor;
  }

  /** Last check before the log. Throws `FormatNotAllowedError`. */
  assertAllowed(types: Iterable<JobEventType>): void {
    for (const type of types) {
      if (this.allows(type)) continue;
      throw new FormatNotAllowedError(
        `${type} is of format ${this.formatOf(type)}, and some replica may read up to format ${this.#floor} only`,
      );
    }
  }

  /** At start, after this replica's row is in the table. Throws `LogFormatTooNewError`. */
  async join(): Promise<void> {
    const { rows } = await this.pool.query<{ floor: number }>('select jobs.log_format_now() as floor');
    this.#floor = rows[0]?.floor ?? 1;
    if (this.#floor > this.reads) throw new LogFormatTooNewError(this.#floor, this.reads);
  }

  /** Called with each heartbeat: `lowest` is the format that every replica in the table reads. */
  async look(lowest: number): Promise<void> {
    const target = Math.min(lowest, this.reads);
    this.#steady = target > this.#floor ? this.#steady + 1 : 0;
    if (this.#steady < STEADY_LOOKS) return;
    this.#steady = 0;
    const { rows } = await this.pool.query<{ floor: number }>('select jobs.raise_log_format($1) as floor', [target]);
    this.#floor = rows[0]?.floor ?? this.#floor;
  }
}

/** The format that replicas write, if this build cannot read it; null if it can, or if there is no log yet. */
export async function unreadableLogFormat(
  pool: Pool,
  reads = JOB_EVENT_FORMAT,
): Promise<{ readonly floor: number; readonly why: string } | null> {
  const floor = await pool.query<{ floor: number }>('select jobs.log_format_now() as floor').then(
    ({ rows }) => rows[0]?.floor ?? 1,
    (error: { code?: string }) => {
      if (NO_LOG.has(error.code ?? '')) return 1;
      throw error;
    },
  );
  return floor > reads ? { floor, why: `this version reads up to format ${reads}` } : null;
}
