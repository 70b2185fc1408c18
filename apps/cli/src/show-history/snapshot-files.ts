import type { ExportPlace } from '@heddle/jobs-history/queries';
import type { CommandCall } from '../command-line/command.js';
import { progressOn } from '../terminal/work-progress.js';
import { withExport } from './export-place.js';
import type { LogSegments } from './export-place.js';
import { logPlaceOf } from './log-place.js';
import { standardInput } from './open-source.js';
import { inTemporaryFolder } from './temporary-folder.js';

const SNAPSHOT_SEGMENT = 250_000;

/** Gives the files of the named export, or those of a snapshot that is made for the question and removed. */
export async function withLogFiles<T>(
  call: CommandCall,
  from: string | null,
  signal: AbortSignal,
  use: (segments: LogSegments) => Promise<T>,
): Promise<T> {
  if (from !== null && from !== '-') return await withExport(call, from, signal, use);
  return await inTemporaryFolder(async (out) => {
    if (from === '-') return await use([await linesIn(call, out, signal)]);
    const { ExportFolder, segmentPaths } = await import('@heddle/jobs-history/queries');
    const folder = new ExportFolder(out);
    await exportDatabase(call, folder, signal);
    return await use(segmentPaths(folder, await folder.manifest()));
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

async function exportDatabase(call: CommandCall, place: ExportPlace, signal: AbortSignal): Promise<void> {
  const [{ withLog }, { exportHistory }] = await Promise.all([
    import('./open-log.js'),
    import('@heddle/jobs-history/exports'),
  ]);
  const tell = progressOn(call.terminal);
  await withLog(logPlaceOf(call), { longWork: true, asAnalyst: true }, signal, async ({ client }) => {
    await exportHistory(client, {
      place,
      until: null,
      segment: SNAPSHOT_SEGMENT,
      redact: false,
      signal,
      onProgress: (progress) => tell({ phase: 'snapshot', ...progress }),
    });
  }).finally(() => call.terminal.erase());
}
