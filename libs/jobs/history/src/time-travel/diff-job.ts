import type { JobAt } from './job-at.js';

export interface JobDifference {
  readonly job_id: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Before and after, of each field that differs. */
  readonly fields: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** Null if the job is the same at both positions. */
export function diffJob(jobId: string, before: JobAt | null, after: JobAt | null): JobDifference | null {
  const fields = differingFields(before, after);
  if (Object.keys(fields).length === 0) return null;
  return { job_id: jobId, change: before === null ? 'added' : after === null ? 'removed' : 'changed', fields };
}

export function differingFields(a: JobAt | null, b: JobAt | null): JobDifference['fields'] {
  const names = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, [a?.[name] ?? null, b?.[name] ?? null]] as const)
      .filter(([, [x, y]]) => JSON.stringify(x) !== JSON.stringify(y)),
  );
}
