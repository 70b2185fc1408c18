import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandCall } from '../command-line/command.js';
import { progressOn } from '../terminal/work-progress.js';
import { logPlaceOf } from './log-place.js';
import { standardInput } from './open-source.js';

const SNAPSHOT_SEGMENT = 250_000;

/** The Parquet files of each segment of a log. */
export type LogSegments = readonly (readonly string[])[];

/** Gives the files of the named export, or those of a snapshot that is made for the question and removed. */
export async function withLogFiles<T>(
  call: CommandCall,
  from: string | null,
  signal: AbortSignal,
  use: (segments: LogSegments) => Promise<T>,
): Promise<T> {
  // Without DuckDB, which a question needs in its own process alone.
  const { checkedManifest, ExportFolder } = await import('@heddle/jobs-history/queries');
  if (from !== null && from !== '-') {
    const folder = new ExportFolder(from);
    return await use(folder.segmentsOf(await checkedManifest(folder)));
  }
  return await inTemporaryFolder(async (out) => {
    if (from === '-') return await use([await linesIn(call, out, signal)]);
    await exportDatabase(call, out, signal);
    const folder = new ExportFolder(out);
    return await use(folder.segmentsOf(await folder.manifest()));
  });
}

async function linesIn({ terminal }: CommandCall, out: string, signal: AbortSignal): Promise<readonly string[]> {
  const { snapshotLines } = await import('@heddle/jobs-history/exports');
  const input = await standardInput();
  const tell = progressOn(terminal);
  try {
    return await snapshotLines(input.source, out, signal, (events) => tell({ phase: 'lines', events, total: null }));
  } finally {
    terminal.erase();
    input.close();
  }
}

async function exportDatabase(call: CommandCall, out: string, signal: AbortSignal): Promise<void> {
  const [{ openLog }, { exportHistory }] = await Promise.all([
    import('./open-log.js'),
    import('@heddle/jobs-history/exports'),
  ]);
  const tell = progressOn(call.terminal);
  const log = await openLog(logPlaceOf(call), { longWork: true, asAnalyst: true });
  try {
    await exportHistory(log.client, {
      out,
      until: null,
      segment: SNAPSHOT_SEGMENT,
      redact: false,
      signal,
      onProgress: (progress) => tell({ phase: 'snapshot', ...progress }),
    });
  } finally {
    call.terminal.erase();
    await log.close();
  }
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-history-'));
  // Also where the process ends at once, as when nobody reads its output any more.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
