import type { HistorySource } from '@heddle/jobs-history';
import type { CommandCall, Option } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { logPlaceOf } from './log-place.js';
import { openLog, type OpenLog } from './open-log.js';

/** A source of commands that also read event lines. */
export const FROM_OPTION: Option = {
  value: '-',
  meaning: 'event lines on standard input, as history show --json and history follow --json print them',
};

export interface OpenSource {
  readonly source: HistorySource;
  /** The database, unless the source is another one. */
  readonly log: OpenLog | null;
  close(): Promise<void>;
}

/** The source that the options name, for commands that read any of them. */
export async function openSource(call: CommandCall): Promise<OpenSource> {
  const from = fromOf(call);
  const { DatabaseSource, LinesSource } = await import('@heddle/jobs-history');
  if (from !== null) return { source: new LinesSource(process.stdin), log: null, close: () => Promise.resolve() };
  const log = await openLog(logPlaceOf(call), { longWork: true });
  return { source: new DatabaseSource(log.client, log.source), log, close: () => log.close() };
}

/** The value of --from; null: a database is read. */
export function fromOf({ options }: CommandCall): string | null {
  const from = options.text('from');
  if (from === null) return null;
  for (const other of ['data', 'database-url'])
    if (options.text(other) !== null) throw wrongUsage(`--from and --${other} name two logs`, 'give one of them');
  if (from !== '-')
    throw wrongUsage(
      `--from ${from} cannot be read by this version`,
      'give --from - for event lines on standard input',
    );
  return from;
}

/** Runs `work`; a line that is not an event becomes a failure with a code of its own. */
export async function readingLines<T>(work: () => Promise<T>): Promise<T> {
  const { BadLineError } = await import('@heddle/jobs-history');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BadLineError)) throw error;
    throw codedFailure(
      'bad_line',
      error.message,
      EXIT.failed,
      'history show --json and follow --json print event lines',
    );
  }
}
