import { open as openFile, rename, rm } from 'node:fs/promises';
import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import type { JobAt, Position } from '@heddle/jobs-history';
import type { LoggedPlace, TravelLog } from '@heddle/jobs-history/exports';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { oneJob as oneJobId } from '../list-jobs/job-id.js';
import { LOG_OPTIONS } from '../show-history/log-place.js';
import { writingNewFile } from '../show-history/new-file.js';
import { FROM_OPTION } from '../show-history/open-source.js';
import { plainText } from '../terminal/plain-text.js';
import { counted } from '../terminal/quantities.js';
import { readPosition, travel, TravelDoubts } from './travel-source.js';

export const historyAsOfCommand: Command = {
  name: 'history as-of',
  summary: 'a job, or all jobs, as they were at a position of the log',
  words: 'POSITION [JOB]',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    out: { value: 'FILE', meaning: 'a new file for a row per job (.ndjson or .parquet)' },
  },
  examples: ['heddle history as-of 1200 JOB', 'heddle history as-of 2026-11-27T10:00:00Z --out jobs.ndjson'],
  notes: () => Promise.resolve(['A position is a seq, or an instant with its zone by the clock of the database.']),
  run: asOf,
};

async function asOf(call: CommandCall): Promise<number> {
  const { words, options } = call;
  const position = await readPosition(words[0], 'history as-of');
  const job = words.length < 2 ? null : wholeId(words.slice(1), 'history as-of POSITION');
  const out = options.text('out');
  if (out !== null && (job !== null || !/.\.(?:ndjson|parquet)$/.test(out)))
    throw wrongUsage(
      job === null
        ? `--out ${out}: only .ndjson and .parquet can be written`
        : '--out is for all jobs, and one job was named',
      'for example --out jobs.ndjson',
    );
  return await travel(call, async (log, signal) => {
    const place = await log.place(position);
    if (job !== null) return await oneJob(call, log, { position, place, job });
    const counts = { jobs: 0, byStatus: Object.fromEntries<number>(JOB_STATUSES.map((status) => [status, 0])) };
    const doubts = new TravelDoubts();
    const jobs = jobsAt(log.jobs(null, signal), position, doubts, counts);
    if (out === null) for await (const _ of jobs);
    else
      await writingNewFile(out, (partial) =>
        out.endsWith('.parquet') ? parquet(partial, jobs) : lines(partial, jobs),
      );
    const { seq, at } = place;
    const { terminal } = call;
    terminal.erase();
    terminal.printJson({ seq: Number(seq), at, jobs: counts.jobs, by_status: counts.byStatus });
    if (!terminal.json) {
      terminal.print(`seq ${seq}, ${at}: ${counted(counts.jobs, 'job')}`);
      for (const [status, count] of Object.entries(counts.byStatus)) terminal.print(`${status} ${count}`);
    }
    doubts.tell(terminal);
    return EXIT.done;
  });
}

interface Asked {
  readonly position: Position;
  readonly place: LoggedPlace;
  readonly job: string;
}

async function oneJob({ terminal }: CommandCall, log: TravelLog, { position, place, job }: Asked): Promise<number> {
  const { jobAtPosition } = await import('@heddle/jobs-history');
  const { seq, at } = place;
  const doubts = new TravelDoubts();
  for await (const events of log.jobs(job)) {
    const found = jobAtPosition(events, position);
    doubts.note(found);
    if (found.job === null) continue;
    terminal.printJson({ seq: Number(seq), at, job: found.job });
    if (!terminal.json) for (const line of fieldLines(found.job)) terminal.print(line);
    doubts.tell(terminal);
    return EXIT.done;
  }
  doubts.tell(terminal);
  throw codedFailure('no_such_position', `job ${job} does not exist at seq ${seq}`, EXIT.failed, null);
}

/** The jobs at a position one by one, counted. */
async function* jobsAt(
  logged: AsyncIterable<readonly NumberedEvent[]>,
  position: Position,
  doubts: TravelDoubts,
  counts: { jobs: number; readonly byStatus: Record<string, number> },
): AsyncGenerator<JobAt> {
  const { jobAtPosition } = await import('@heddle/jobs-history');
  for await (const events of logged) {
    const found = jobAtPosition(events, position);
    doubts.note(found);
    if (found.job === null) continue;
    counts.jobs += 1;
    counts.byStatus[found.job.status] = (counts.byStatus[found.job.status] ?? 0) + 1;
    yield found.job;
  }
}

async function lines(path: string, jobs: AsyncIterable<JobAt>): Promise<void> {
  const file = await openFile(path, 'w');
  try {
    for await (const job of jobs) await file.write(`${JSON.stringify(job)}\n`);
  } finally {
    await file.close();
  }
}

/** The engine reads the lines: it knows the types of the columns and keeps to its memory. */
async function parquet(path: string, jobs: AsyncIterable<JobAt>): Promise<void> {
  const { HistoryEngine, writeJobsParquet } = await import('@heddle/jobs-history/exports');
  const engine = await HistoryEngine.open();
  try {
    await lines(path, jobs);
    const rows = `${path}.parquet`;
    try {
      await writeJobsParquet(engine.connection, path, rows);
      await rename(rows, path);
    } finally {
      await rm(rows, { force: true });
    }
  } finally {
    engine.close();
  }
}

export function wholeId(words: readonly string[], command: string): string {
  const id = oneJobId(words, command);
  if (id.length === 36) return id;
  throw wrongUsage(`"${id}" is a part of a job id`, 'give the whole id; heddle history show prints it with --json');
}

function fieldLines(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).map(([name, value]) =>
    plainText(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
}
