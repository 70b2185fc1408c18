import type { JobMessage, JobStatus } from '@heddle/contracts-messages';
import type { InboxSession } from '@heddle/platform-message-bus/follow-log';
import type { PlacedMessage } from '../read-events/placed-message.js';
import { statusAfter } from '@heddle/jobs-domain';
import { versionSql } from './job-order.sql.js';
import type { EarlyRow, FoldedRow, VersionSql } from './job-order.sql.js';

interface Folded {
  readonly version: number;
  readonly status: JobStatus;
}

/**
 * Gives the messages of each job in version order, each version once. A message that is early waits in a table: a
 * partition keeps the order of a job, but a replay or another number of partitions does not.
 */
export class JobOrder {
  readonly #sql: VersionSql;

  constructor(private readonly schema: string) {
    this.#sql = versionSql(schema);
  }

  /** What can be folded now, in log order: of each job, the versions behind the last one without a hole. */
  async next(session: InboxSession, fresh: readonly PlacedMessage[]): Promise<readonly JobMessage[]> {
    if (fresh.length === 0) return [];
    const ids = [...new Set(fresh.map(({ message }) => message.jobId))];
    const rows = await this.#run<FoldedRow>(session, 'folded', [ids]);
    const folded = new Map(rows.map((row) => [row.job_id, { ...row, status: row.status as JobStatus }]));
    const early = (await this.#run<EarlyRow>(session, 'early', [ids])).map(earlyMessage);
    const after = new Map<string, Folded>();
    const ready: (PlacedMessage & { readonly status: JobStatus })[] = [];
    const kept = new Set<PlacedMessage>();
    for (const placed of [...early, ...fresh].sort((a, b) => a.message.version - b.message.version)) {
      const { jobId, version, type } = placed.message;
      const last = after.get(jobId) ?? folded.get(jobId);
      const next = (last?.version ?? 0) + 1;
      if (version < next) continue;
      if (version > next) kept.add(placed);
      else {
        const status = placed.status ?? statusAfter(type, last?.status ?? 'queued');
        after.set(jobId, { version, status });
        ready.push({ ...placed, status });
      }
    }
    await this.#store(session, after, ready);
    await this.#keep(
      session,
      fresh.filter((placed) => kept.has(placed)),
    );
    await this.#release(
      session,
      early.filter((placed) => !kept.has(placed)),
    );
    ready.sort((a, b) => a.seq - b.seq);
    return ready.map(({ message, status }) => ({ ...message, status }));
  }

  /**
   * Nothing up to `seq` is missing, so a message that still waits there belongs to a job whose first events had left
   * the log before it was read: such a job is purged, and nobody folds it.
   */
  async abandon(session: InboxSession, seq: number): Promise<void> {
    await this.#run(session, 'abandon', [seq]);
  }

  async #store(
    session: InboxSession,
    after: ReadonlyMap<string, Folded>,
    ready: readonly PlacedMessage[],
  ): Promise<void> {
    // The purge is the last event of a job; its repetitions are at or before the place.
    const purged = new Set(
      ready.filter(({ message }) => message.type === 'JobPurged').map(({ message }) => String(message.jobId)),
    );
    const left = [...after].filter(([jobId]) => !purged.has(jobId));
    const columns = [
      left.map(([jobId]) => jobId),
      left.map(([, { version }]) => version),
      left.map(([, { status }]) => status),
    ];
    if (left.length > 0) await this.#run(session, 'fold', columns);
    if (purged.size > 0) await this.#run(session, 'remove', [[...purged]]);
  }

  async #keep(session: InboxSession, kept: readonly PlacedMessage[]): Promise<void> {
    if (kept.length === 0) return;
    await this.#run(session, 'keep', [
      kept.map(({ message }) => message.jobId),
      kept.map(({ message }) => message.version),
      kept.map(({ seq }) => seq),
      kept.map(({ id }) => id),
      kept.map(({ status }) => status),
      kept.map(({ message }) => JSON.stringify(message)),
    ]);
  }

  async #release(session: InboxSession, released: readonly PlacedMessage[]): Promise<void> {
    if (released.length === 0) return;
    const columns = [released.map(({ message }) => message.jobId), released.map(({ message }) => message.version)];
    await this.#run(session, 'release', columns);
  }

  async #run<Row extends object>(
    session: InboxSession,
    name: keyof VersionSql,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return await session.query<Row>({ name: `${this.schema}.version_${name}`, text: this.#sql[name] }, values);
  }
}

function earlyMessage({ seq, event_id, status, message }: EarlyRow): PlacedMessage {
  return {
    id: event_id,
    seq: Number(seq),
    status: status as JobStatus | null,
    message: message as PlacedMessage['message'],
  };
}
