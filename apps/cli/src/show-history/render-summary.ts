import type { JobSummaryLine } from '@heddle/jobs-history';
import { plainText } from '../terminal/plain-text.js';
import { byteText, durationText } from '../terminal/quantities.js';

const INDENT = '  ';

/** A job at a glance, for people. */
export function renderSummary(summary: JobSummaryLine): string[] {
  const { job_id: id, status, version, queue_ms: queued, execution_ms: ran, attempts, outputs, error } = summary;
  const lines = [
    `job ${id}: ${status}, version ${version}`,
    `submitted ${summary.submitted_at ?? '-'}, waited ${timeText(queued)}, ran ${timeText(ran)}`,
    ...attempts.map(
      (one) =>
        `attempt ${one.attempt ?? '?'} on ${one.worker_id ?? '?'}: ${one.ended_by ?? (one.ended_at === null ? 'running' : 'ended')}, ${timeText(one.run_ms)}`,
    ),
    ...summary.node_runs.map(
      (run) =>
        `${INDENT}node ${run.node_id ?? '?'} ${run.class_type ?? '?'}: ` +
        (run.cached === true ? 'from the cache' : `waited ${timeText(run.wait_ms)}, ran ${timeText(run.run_ms)}`),
    ),
    ...outputs.map(({ node_id, name, size_bytes: size }) =>
      size === null ? 'an output, purged' : `output of node ${node_id ?? '?'}: ${name ?? '?'}, ${byteText(size)}`,
    ),
    ...(error === null ? [] : [`${error.code}: ${error.message}`]),
  ];
  return lines.map((line) => INDENT.repeat(line.startsWith(INDENT) ? 1 : 0) + plainText(line.trim()));
}

function timeText(milliseconds: number | null): string {
  return milliseconds === null ? '-' : durationText(milliseconds);
}
