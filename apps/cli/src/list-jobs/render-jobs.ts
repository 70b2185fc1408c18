import type { WireJob } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { ageText, byteText, durationText } from '../terminal/quantities.js';
import { renderTable } from '../terminal/table.js';
import { wrapText } from '../terminal/text-width.js';
import { shortLength } from './job-id.js';

interface JobsView {
  readonly columns: number;
  /** Shortens ids to the characters that these jobs need to differ. */
  readonly shortIds: boolean;
  readonly now: number;
}

/** One row per job; empty columns are omitted. */
export function renderJobs(jobs: readonly WireJob[], { columns, shortIds, now }: JobsView): string[] {
  const length = shortIds ? shortLength(jobs.map(({ id }) => id)) : 36;
  const table = [
    { title: 'JOB', cell: (job: WireJob) => job.id.slice(-length) },
    {
      title: 'STATUS',
      cell: (job: WireJob) => job.status + (job.queuePosition === null ? '' : ` (${job.queuePosition})`),
    },
    { title: 'AGE', align: 'right' as const, cell: (job: WireJob) => ageText(job.createdAt, now) },
    {
      title: 'TOOK',
      align: 'right' as const,
      cell: (job: WireJob) => (job.executionMs === null ? '' : durationText(job.executionMs)),
    },
    { title: 'ERROR', shrinks: true, cell: errorText },
    { title: 'LABELS', shrinks: true, cell: labels },
  ].map(({ cell, ...column }) => ({ column, cells: jobs.map((job) => plainText(cell(job))) }));
  const shown = table.filter(({ column, cells }) => column.shrinks !== true || cells.some((cell) => cell !== ''));
  const rows = jobs.map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  return renderTable(
    shown.map(({ column }) => column),
    rows,
    columns,
  );
}

function errorText({ error }: WireJob): string {
  if (error === null) return '';
  const node = error.nodeId === null || error.nodeId === '' ? '' : ` in node ${error.nodeId}`;
  return `${error.code}${node}: ${error.message}`;
}

/** All facts about one job, one per line. */
export function renderJobDetails(job: WireJob, columns: number): string[] {
  const facts: [string, string][] = [
    ['job', job.id],
    ['status', job.status + (job.queuePosition === null ? '' : ` (position ${job.queuePosition})`)],
    ['created', instant(job.createdAt)],
    ['started', instant(job.startedAt)],
    ['completed', instant(job.completedAt)],
    ['waited', job.queueMs === null ? '' : durationText(job.queueMs)],
    ['took', job.executionMs === null ? '' : durationText(job.executionMs)],
    [
      'progress',
      job.progress === null
        ? ''
        : `${Math.floor(job.progress.value * 100)} %, ${job.progress.nodesDone}/${job.progress.nodesTotal} nodes` +
          (job.completedAt !== null || job.progress.message === null ? '' : `, ${job.progress.message}`),
    ],
    ['labels', labels(job)],
    ['error', job.error === null ? '' : `${job.error.code}: ${job.error.message}`],
    ['in node', job.error?.nodeId == null ? '' : `${job.error.nodeId} ${job.error.classType ?? ''}`],
  ];
  const lines = facts
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => wrapText(`${name.padEnd(10)} ${plainText(value)}`, columns, ' '.repeat(11)));
  if (job.outputs.length === 0) return lines;
  const rows = job.outputs.map((output) => [
    plainText(output.nodeId),
    plainText(output.name),
    plainText(output.contentType).replace(/\s*;.*$/, ''),
    output.sizeBytes === null ? '' : byteText(output.sizeBytes),
    plainText(output.id),
  ]);
  const titles = [
    { title: 'NODE' },
    { title: 'NAME', shrinks: true },
    { title: 'MEDIA TYPE', shrinks: 'first' as const },
    { title: 'SIZE', align: 'right' as const },
    { title: 'ASSET', whole: true },
  ];
  return [...lines, '', ...renderTable(titles, rows, columns)];
}

function labels(job: WireJob): string {
  return plainText(
    Object.entries(job.metadata)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' '),
  );
}

/** `2026-11-21 08:01:02Z`: short, sortable, and in UTC. */
function instant(text: string | null): string {
  return text === null
    ? ''
    : plainText(text)
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z');
}
