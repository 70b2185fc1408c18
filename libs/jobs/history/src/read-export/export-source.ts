import type { DuckDBConnection } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { HistorySource } from '../open-source/history-source.js';
import { COLUMN_LIST, eventOfRow } from './event-columns.js';
import type { ExportFolder } from './export-folder.js';
import { ExportError } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

/** The log in an export. */
export class ExportSource implements HistorySource {
  readonly name: string;

  constructor(
    private readonly folder: ExportFolder,
    private readonly manifest: ExportManifest,
    private readonly connection: DuckDBConnection,
    /** Files that cannot be read: their events are missing. */
    private readonly leftOut: ReadonlySet<string> = new Set(),
  ) {
    this.name = folder.path;
  }

  async *events(after: bigint, signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    for (const segment of this.manifest.segments) {
      if (BigInt(segment.to_seq) <= after) continue;
      yield* this.#select(segment.files, `seq > ${after}`, 'seq', signal);
    }
  }

  async eventsOf(jobId: string): Promise<readonly NumberedEvent[]> {
    const files = this.manifest.segments.flatMap((segment) => segment.files);
    const found: NumberedEvent[] = [];
    for await (const batch of this.#select(files, `job_id = '${jobId.replaceAll("'", '')}'`, 'version'))
      found.push(...batch);
    return found;
  }

  async newestJobs(limit: number): Promise<readonly string[]> {
    const files = this.manifest.segments
      .flatMap((segment) => segment.files)
      .filter(({ path }) => path.includes('/event_type=JobSubmitted/'));
    const from = this.#from(files);
    if (from === null) return [];
    const sql = `select job_id from ${from} order by job_id desc limit ${limit}`;
    return (await this.connection.runAndReadAll(sql)).getRows().map(([id]) => String(id));
  }

  async *#select(
    files: readonly ExportFile[],
    where: string,
    order: string,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly NumberedEvent[]> {
    const from = this.#from(files);
    if (from === null) return;
    const result = await this.connection.stream(`select ${COLUMN_LIST} from ${from} where ${where} order by ${order}`);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRows().map(eventOfRow);
    }
  }

  #from(files: readonly ExportFile[]): string | null {
    const paths = files.map(({ path }) => path).filter((path) => !this.leftOut.has(path));
    return paths.length === 0 ? null : parquet(paths.map((path) => this.folder.pathOf(path)));
  }
}

/** The paths are not read as a layout: `event_type` in a path is not a column. */
export function parquet(paths: readonly string[]): string {
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  return `read_parquet([${list}], hive_partitioning = false)`;
}

/** Refuses an export whose files are not the manifest's. */
export async function checkedManifest(folder: ExportFolder): Promise<ExportManifest> {
  const manifest = await folder.manifest();
  if (manifest === null) throw new ExportError('manifest_mismatch', `${folder.path} holds no manifest.json`);
  for (const { files } of manifest.segments)
    for (const file of files) {
      const trouble = await folder.trouble(file);
      if (trouble === null) continue;
      const what = { missing: 'is missing', link: 'is a symbolic link', changed: 'is not the file that was exported' };
      throw new ExportError('export_torn', `${file.path} ${what[trouble]}; heddle history verify names every fault`);
    }
  return manifest;
}
