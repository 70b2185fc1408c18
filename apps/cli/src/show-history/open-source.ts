import type { HistorySource, LinesSource } from '@heddle/jobs-history';
import type { CommandCall, Option } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { withExport } from './export-place.js';
import { logPlaceOf } from './log-place.js';
import { longWork } from './long-work.js';
import type { OpenLog } from './open-log.js';

/** A source of commands that read more than a database. */
export const FROM_OPTION: Option = {
  value: 'EXPORT',
  meaning: 'folder of an export, or s3://BUCKET/PREFIX; - for event lines on standard input',
};

/** The second argument is the database; null: the source is another one. */
type SourceUse<T> = (source: HistorySource, log: OpenLog | null) => Promise<T>;

/** Gives `use` the source that the options name, for commands that read any of them. */
export async function withSource<T>(call: CommandCall, use: SourceUse<T>): Promise<T> {
  const from = fromOf(call);
  if (from === '-') {
    // Not as long work: Ctrl-C ends the wait for standard input at once.
    const { source, close } = await standardInput();
    return await use(source, null).finally(close);
  }
  return await longWork(async (signal) => {
    if (from !== null) return await fromExport(call, from, signal, use);
    // Loaded on demand: other sources need no database driver.
    const [{ withLog }, { DatabaseSource }] = await Promise.all([
      import('./open-log.js'),
      import('@heddle/jobs-history'),
    ]);
    return await withLog(logPlaceOf(call), { longWork: true, asAnalyst: true }, signal, async (log) => {
      const result = await use(new DatabaseSource(log.client, log.source), log);
      signal.throwIfAborted();
      return result;
    });
  });
}

async function fromExport<T>(call: CommandCall, from: string, signal: AbortSignal, use: SourceUse<T>): Promise<T> {
  return await withExport(call, from, signal, async (segments, name) => {
    const { ExportSource, HistoryEngine } = await import('@heddle/jobs-history/exports');
    return await HistoryEngine.during(signal, (connection) => use(new ExportSource(name, connection, segments), null));
  });
}

/** Event lines. An input that stays open keeps no command from its end. */
export async function standardInput(): Promise<{ readonly source: LinesSource; close(): void }> {
  const { LinesSource } = await import('@heddle/jobs-history');
  return { source: new LinesSource(process.stdin), close: () => void process.stdin.destroy() };
}

/** The value of --from; null: a database is read. */
export function fromOf({ options }: CommandCall): string | null {
  const from = options.text('from');
  if (from === null) return null;
  for (const other of ['data', 'database-url'])
    if (options.text(other) !== null) throw wrongUsage(`--from and --${other} name two logs`, 'give one of them');
  return from;
}

/** Runs `work`; a line that is not an event, or an export that is not whole, becomes a failure with a code of its own. */
export async function readingSource<T>(work: () => Promise<T>): Promise<T> {
  const { BadLineError, ExportError } = await import('@heddle/jobs-history');
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExportError) throw codedFailure(error.code, error.message, EXIT.failed, null);
    if (!(error instanceof BadLineError)) throw error;
    throw codedFailure(
      'bad_line',
      error.message,
      EXIT.failed,
      'history show --json and follow --json print event lines',
    );
  }
}
