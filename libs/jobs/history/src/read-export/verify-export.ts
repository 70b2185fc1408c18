import type { DuckDBConnection } from '@duckdb/node-api';
import { FaultList } from '@heddle/platform-event-log';
import type { LogFaultKind } from '@heddle/platform-event-log';
import { segmentPaths, unlistedFiles, type ExportPlace, type FileTrouble } from '../export-place/export-place.js';
import type { ExportFile, ExportManifest } from '../export-place/manifest.js';
import { verifySource } from '../verify-source/verify-source.js';
import type { SourceReport, VerifySourceOptions } from '../verify-source/verify-source.js';
import { someManifest } from './checked-manifest.js';
import { COLUMN_LIST } from './event-columns.js';
import { ExportSource, parquet } from './export-source.js';
import { HistoryEngine } from './history-engine.js';
import { fetchFiles, type FetchOptions } from './fetch-files.js';

/** Checks an export against its manifest and itself, without a database. */
export async function verifyExport(
  place: ExportPlace,
  options: Omit<VerifySourceOptions, 'start' | 'faults' | 'hasDigests'>,
  onFetched?: FetchOptions['onProgress'],
): Promise<SourceReport> {
  const manifest = await someManifest(place);
  const faults = new FaultList();
  const engine = await HistoryEngine.open();
  try {
    const fetched = { ...options, onProgress: onFetched };
    const leftOut = await checkFiles({ place, manifest, faults, connection: engine.connection }, fetched);
    const source = new ExportSource(place.name, engine.connection, segmentPaths(place, manifest, leftOut));
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

interface Checked {
  readonly place: ExportPlace;
  readonly manifest: ExportManifest;
  readonly faults: FaultList;
  readonly connection: DuckDBConnection;
}

/** Returns the files that cannot be read at all. */
async function checkFiles(
  { place, manifest, faults, connection }: Checked,
  options: FetchOptions,
): Promise<Set<string>> {
  const leftOut = new Set<string>();
  for await (const [file, trouble] of fetchFiles(place, manifest, options)) {
    const { path } = file;
    if (trouble !== null) {
      const [kind, message] = TROUBLES[trouble];
      faults.add(kind, `${path} ${message}`, { file: path });
    }
    // A changed file is read all the same, so that the changed event is named; a link leads anywhere.
    const figures =
      trouble === 'missing' || trouble === 'link' ? null : await figuresOf(connection, place.localPath(path));
    if (figures === null) {
      leftOut.add(path);
      if (trouble === null)
        faults.add('manifest', `${path} has the digest of the manifest, but cannot be read`, { file: path });
    }
    if (figures !== null && trouble === null) compareFigures(file, figures, faults);
  }
  for (const path of await unlistedFiles(place, manifest))
    faults.add('file_unlisted', `${path} is not in the manifest`, { file: path });
  return leftOut;
}

const TROUBLES: Readonly<Record<FileTrouble, readonly [LogFaultKind, string]>> = {
  missing: ['file_missing', 'is missing'],
  link: ['file_changed', 'is a symbolic link'],
  changed: ['file_changed', "is not the file that was exported: its size or digest differs from the manifest's"],
};

type Figures = Omit<ExportFile, 'path' | 'bytes' | 'sha256'>;

/** Null if the file cannot be read: every column of every row is decoded. */
async function figuresOf(connection: DuckDBConnection, path: string): Promise<Figures | null> {
  const sql = `select bit_xor(hash(${COLUMN_LIST})), count(*), min(seq), max(seq), epoch_ms(min(recorded_at)),
                      epoch_ms(max(recorded_at)) from ${parquet([path])}`;
  try {
    const [row] = (await connection.runAndReadAll(sql)).getRows();
    const [events, minSeq, maxSeq, minAt, maxAt] = (row ?? []).slice(1).map(Number);
    return {
      events: events!,
      min_seq: minSeq!,
      max_seq: maxSeq!,
      min_recorded_at: new Date(minAt!).toISOString(),
      max_recorded_at: new Date(maxAt!).toISOString(),
    };
  } catch {
    return null;
  }
}

/** What the manifest says of a file, readers go by: it must be what the file holds. */
function compareFigures(file: ExportFile, figures: Figures, faults: FaultList): void {
  for (const [name, found] of Object.entries(figures) as [keyof Figures, number | string][]) {
    if (file[name] === found) continue;
    const message = `${name} of ${file.path} is ${String(file[name])} in the manifest, and the file has ${found}`;
    faults.add('manifest', message, { file: file.path });
  }
}
