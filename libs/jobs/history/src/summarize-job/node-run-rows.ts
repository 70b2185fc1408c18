import type { AttemptRow } from './attempt-rows.js';
import { isOf, type DecodedEvent } from './decoded-events.js';

export interface NodeRunRow {
  readonly job_id: string;
  readonly fence: number | null;
  readonly attempt: number | null;
  /** Order within the attempt, from 1. */
  readonly position: number;
  readonly node_id: string | null;
  readonly class_type: string | null;
  /** By the worker's clock, as is the end. */
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly run_ms: number | null;
  /** From the later of the lease and the last end of an earlier node run; two clocks, so at least 0. */
  readonly wait_ms: number | null;
  readonly cached: boolean | null;
}

/** A row for each `NodeFinished`. */
export function nodeRunsOf(
  jobId: string,
  events: readonly DecodedEvent[],
  attempts: readonly AttemptRow[],
): NodeRunRow[] {
  const rows: NodeRunRow[] = [];
  const freeSince = new Map<number | null, number>();
  const positions = new Map<number | null, number>();
  for (const event of events) {
    if (!isOf(event, 'NodeFinished')) continue;
    const { fence, data } = event;
    const attempt = attempts.find((one) => one.fence === fence);
    const position = (positions.get(fence) ?? 0) + 1;
    positions.set(fence, position);
    const leased = attempt === undefined ? null : Date.parse(attempt.leased_at);
    const since = freeSince.get(fence) ?? leased;
    const [start, end] = [
      data === null ? null : Date.parse(data.startedAt),
      data === null ? null : Date.parse(data.endedAt),
    ];
    rows.push({
      job_id: jobId,
      fence,
      attempt: attempt?.attempt ?? null,
      position,
      node_id: data?.nodeId ?? null,
      class_type: data?.classType ?? null,
      started_at: data?.startedAt ?? null,
      ended_at: data?.endedAt ?? null,
      run_ms: start === null || end === null ? null : Math.max(0, end - start),
      wait_ms: start === null || since === null ? null : Math.max(0, start - since),
      cached: data?.cached ?? null,
    });
    if (end !== null) freeSince.set(fence, Math.max(end, since ?? end));
  }
  return rows;
}
