import type { JobAt } from './job-at.js';
import type { LogAt } from './log-at.js';

export interface JobDifference {
  readonly job_id: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Before and after, of each field that differs. */
  readonly fields: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** Job by job and field by field, in the order of submissions; `jobId` limits it to one job. */
export function* diffLogs(before: LogAt, after: LogAt, jobId: string | null): Generator<JobDifference> {
  const ids = jobId === null ? new Set([...before.jobs(), ...after.jobs()].map(([id]) => id)) : [jobId];
  for (const id of ids) {
    const [a, b] = [before.job(id), after.job(id)];
    const fields = differingFields(a, b);
    if (Object.keys(fields).length === 0) continue;
    yield { job_id: id, change: a === null ? 'added' : b === null ? 'removed' : 'changed', fields };
  }
}

export function differingFields(a: JobAt | null, b: JobAt | null): JobDifference['fields'] {
  const names = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, [a?.[name] ?? null, b?.[name] ?? null]] as const)
      .filter(([, [x, y]]) => JSON.stringify(x) !== JSON.stringify(y)),
  );
}
