import type { HistorySource, LinesSource } from '@heddle/jobs-history';
import type { CommandCall, Option } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { logPlaceOf } from './log-place.js';
import type { OpenLog } from './open-log.js';

/** A source of commands that read more than a database. */
export const FROM_OPTION: Option = {
  value: 'EXPORT',
  meaning: 'folder of an export; - for event lines on standard input',
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
  if (from === '-') {
    const { source, close } = await standardInput();
    return { source, log: null, close: () => Promise.resolve(close()) };
  }
  if (from !== null) return await openExport(from);
  // Loaded on demand: other sources need no database driver.
  const [{ openLog }, { DatabaseSource }] = await Promise.all([
    import('./open-log.js'),
    import('@heddle/jobs-history'),
  ]);
  const log = await openLog(logPlaceOf(call), { longWork: true, asAnalyst: true });
  return { source: new DatabaseSource(log.client, log.source), log, close: () => log.close() };
}

/** Event lines. An input that stays open keeps no command from its end. */
export async function standardInput(): Promise<{ readonly source: LinesSource; close(): void }> {
  const { LinesSource } = await import('@heddle/jobs-history');
  return { source: new LinesSource(process.stdin), close: () => void process.stdin.destroy() };
}

async function openExport(from: string): Promise<OpenSource> {
  const { checkedManifest, ExportFolder, ExportSource, HistoryEngine } = await import('@heddle/jobs-history/exports');
  const folder = new ExportFolder(from);
  const manifest = await readingSource(() => checkedManifest(folder));
  const engine = await HistoryEngine.open();
  const source = new ExportSource(folder.path, engine.connection, folder.segmentsOf(manifest));
  return { source, log: null, close: () => Promise.resolve(engine.close()) };
}

/** The value of --from; null: a database is read. */
export function fromOf({ options }: CommandCall): string | null {
  const from = options.text('from');
  if (from === null) return null;
  for (const other of ['data', 'database-url'])
    if (options.text(other) !== null) throw wrongUsage(`--from and --${other} name two logs`, 'give one of them');
  refuseStore(from, '--from');
  return from;
}

/** Exports in object stores are part of the contract and not of this version. */
export function refuseStore(place: string, option: string): void {
  if (!place.startsWith('s3://')) return;
  throw wrongUsage(
    `${option} ${place}: this version reads and writes exports in folders`,
    'copy the export to a folder',
  );
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
