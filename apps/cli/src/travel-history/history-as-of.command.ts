import { open as openFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import type { LogAt } from '@heddle/jobs-history';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, failed, wrongUsage } from '../failure.js';
import { oneJob } from '../list-jobs/job-id.js';
import { LOG_OPTIONS } from '../show-history/log-place.js';
import { FROM_OPTION } from '../show-history/open-source.js';
import { plainText } from '../terminal/plain-text.js';
import { readPosition, travel } from './travel-source.js';

export const historyAsOfCommand: Command = {
  name: 'history as-of',
  summary: 'a job, or all jobs, as they were at a position of the log',
  words: 'POSITION [JOB]',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    out: { value: 'FILE', meaning: 'a new file for a line per job (.ndjson)' },
  },
  examples: ['heddle history as-of 1200 JOB', 'heddle history as-of 2026-11-27T10:00:00Z --out jobs.ndjson'],
  notes: () => Promise.resolve(['A position is a seq, or an instant with its zone by the clock of the database.']),
  run: asOf,
};

async function asOf(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  const position = await readPosition(words[0], 'history as-of');
  const job = words.length < 2 ? null : wholeId(words.slice(1), 'history as-of POSITION');
  const out = options.text('out');
  if (out !== null && (job !== null || !out.endsWith('.ndjson')))
    throw wrongUsage(
      job === null ? `--out ${out}: only .ndjson can be written` : '--out is for all jobs, and one job was named',
      'for example --out jobs.ndjson',
    );
  const { LogAt, readLogAt } = await import('@heddle/jobs-history');
  return await travel(call, async ({ source }, signal) => {
    const log = new LogAt(position);
    await readLogAt(source, [log], { jobId: job, signal });
    const { seq, at } = log.place();
    if (job !== null) {
      const found = log.job(job);
      assertUsable([log]);
      if (found === null)
        throw codedFailure('no_such_position', `job ${job} does not exist at seq ${seq}`, EXIT.failed, null);
      terminal.printJson({ seq: Number(seq), at, job: found });
      if (!terminal.json) for (const line of fieldLines(found)) terminal.print(line);
      return EXIT.done;
    }
    const byStatus = Object.fromEntries<number>(JOB_STATUSES.map((status) => [status, 0]));
    const file = out === null ? null : await newFile(out);
    let jobs = 0;
    try {
      for (const [, found] of log.jobs()) {
        jobs += 1;
        byStatus[found.status] = (byStatus[found.status] ?? 0) + 1;
        await file?.write(`${JSON.stringify(found)}\n`);
      }
    } finally {
      await file?.close();
    }
    terminal.printJson({ seq: Number(seq), at, jobs, by_status: byStatus });
    if (!terminal.json) {
      terminal.print(`seq ${seq}, ${at}: ${jobs} jobs`);
      for (const [status, count] of Object.entries(byStatus)) terminal.print(`${status} ${count}`);
    }
    assertUsable([log]);
    return EXIT.done;
  });
}

/** Fails behind what could be read. */
export function assertUsable(logs: readonly LogAt[]): void {
  const unusable = logs.map((log) => log.unusable).find((fault) => fault !== null) ?? null;
  if (unusable === null) return;
  const next = 'heddle history verify names every event of this kind';
  throw codedFailure(
    'unknown_event',
    `an event cannot be used, so its job is left out: ${unusable}`,
    EXIT.failed,
    next,
  );
}

/** An existing file is never overwritten. */
async function newFile(path: string): Promise<FileHandle> {
  try {
    return await openFile(path, 'wx');
  } catch (error) {
    throw failed(`${path} cannot be written: ${(error as Error).message}`, 'name a new file with --out');
  }
}

export function wholeId(words: readonly string[], command: string): string {
  const id = oneJob(words, command);
  if (id.length === 36) return id;
  throw wrongUsage(`"${id}" is a part of a job id`, 'give the whole id; heddle history show prints it with --json');
}

export function fieldLines(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).map(([name, value]) =>
    plainText(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
}
