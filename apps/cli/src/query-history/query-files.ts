import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandCall } from '../command-line/command.js';
import { logPlaceOf } from '../show-history/log-place.js';

const SNAPSHOT_SEGMENT = 250_000;

/** Gives the Parquet files of the named export, or those of a snapshot that is made for the question and removed. */
export async function withFiles(
  call: CommandCall,
  from: string | null,
  signal: AbortSignal,
  use: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  const { checkedManifest, ExportFolder } = await import('@heddle/jobs-history/exports');
  if (from !== null) {
    const folder = new ExportFolder(from);
    return await use(folder.filesOf(await checkedManifest(folder)));
  }
  await inTemporaryFolder(async (out) => {
    await exportDatabase(call, out, signal);
    const folder = new ExportFolder(out);
    await use(folder.filesOf(await folder.manifest()));
  });
}

async function exportDatabase(call: CommandCall, out: string, signal: AbortSignal): Promise<void> {
  const [{ openLog }, { exportHistory }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/jobs-history/exports'),
  ]);
  const log = await openLog(logPlaceOf(call), { longWork: true, asAnalyst: true });
  try {
    await exportHistory(log.client, { out, until: null, segment: SNAPSHOT_SEGMENT, redact: false, signal });
  } finally {
    await log.close();
  }
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-history-'));
  // Also where the process ends at once, as when nobody reads its output any more.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
