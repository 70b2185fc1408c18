import { FaultList } from '@heddle/platform-event-log';
import type { LogFaultKind } from '@heddle/platform-event-log';
import { verifySource } from '../verify-source/verify-source.js';
import type { SourceReport, VerifySourceOptions } from '../verify-source/verify-source.js';
import { COLUMN_LIST } from './event-columns.js';
import type { ExportFolder } from './export-folder.js';
import { ExportSource, parquet } from './export-source.js';
import { HistoryEngine } from './history-engine.js';
import { ExportError, type ExportManifest } from './manifest.js';

/** Checks an export against its manifest and itself, without a database. */
export async function verifyExport(
  folder: ExportFolder,
  options: Omit<VerifySourceOptions, 'start' | 'faults' | 'hasDigests'>,
): Promise<SourceReport> {
  const manifest = await folder.manifest();
  if (manifest === null) throw new ExportError('manifest_mismatch', `${folder.path} holds no manifest.json`);
  const faults = new FaultList();
  const engine = await HistoryEngine.open();
  try {
    const leftOut = await checkFiles(folder, manifest, faults, async (path) => {
      // Every column of every row is decoded.
      await engine.connection.runAndReadAll(
        `select bit_xor(hash(${COLUMN_LIST})) from ${parquet([folder.pathOf(path)])}`,
      );
    });
    const source = new ExportSource(folder, manifest, engine.connection, leftOut);
    const [first] = manifest.segments;
    const start = { seq: BigInt(first!.from_seq) - 1n, chain: Buffer.from(first!.chain_before, 'hex') };
    const report = await verifySource(source, { ...options, start, faults, hasDigests: true });
    const { seq, chain } = manifest.watermark;
    if (report.lastSeq !== BigInt(seq) || report.chain.toString('hex') !== chain)
      faults.add(
        'manifest',
        `the watermark is seq ${seq}, and the events end at seq ${report.lastSeq} with another chain`,
        {
          seq: report.lastSeq,
          file: 'manifest.json',
        },
      );
    return report;
  } finally {
    engine.close();
  }
}

/** Returns the files that cannot be read at all. */
async function checkFiles(
  folder: ExportFolder,
  manifest: ExportManifest,
  faults: FaultList,
  read: (path: string) => Promise<void>,
): Promise<Set<string>> {
  const leftOut = new Set<string>();
  for (const file of manifest.segments.flatMap(({ files }) => files)) {
    const { path } = file;
    const trouble = await folder.trouble(file);
    if (trouble === null) continue;
    const [kind, message]: readonly [LogFaultKind, string] =
      trouble === 'missing'
        ? ['file_missing', `${path} is missing`]
        : trouble === 'link'
          ? ['file_changed', `${path} is a symbolic link`]
          : [
              'file_changed',
              `${path} is not the file that was exported: its size or digest differs from the manifest's`,
            ];
    faults.add(kind, message, { file: path });
    // A changed file is read all the same, so that the changed event is named; a link leads anywhere.
    const isReadable =
      trouble === 'changed' &&
      (await read(path).then(
        () => true,
        () => false,
      ));
    if (!isReadable) leftOut.add(path);
  }
  for (const path of await folder.unlisted(manifest))
    faults.add('file_unlisted', `${path} is not in the manifest`, { file: path });
  return leftOut;
}
