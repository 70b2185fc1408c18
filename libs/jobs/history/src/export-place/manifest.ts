/** The value of `format` and the newest version that this build reads. */
const FORMAT = 'heddle-history';
const FORMAT_VERSION = 1;
export const MANIFEST_FILE = 'manifest.json';
/** Some 100 bytes a file: an export of a million files is refused before it is read into memory. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** The path of a file of an export. */
export const EXPORTED_FILE =
  /^events\/dt=\d{4}-\d\d-\d\d\/event_type=[A-Za-z\d_%]{1,200}\/part-\d{12}-\d{12}\.parquet$/;

export interface ExportFile {
  readonly path: string;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly min_seq: number;
  readonly max_seq: number;
  readonly min_recorded_at: string;
  readonly max_recorded_at: string;
}

export interface ExportSegment {
  readonly from_seq: number;
  readonly to_seq: number;
  readonly events: number;
  readonly chain_before: string;
  readonly chain: string;
  readonly exported_at: string;
  readonly redacted: boolean;
  readonly files: readonly ExportFile[];
}

export interface Watermark {
  readonly seq: number;
  readonly chain: string;
  readonly recorded_at: string;
}

export interface ExportManifest {
  readonly watermark: Watermark;
  readonly events: number;
  readonly segments: readonly ExportSegment[];
}

type ExportErrorCode = 'export_torn' | 'manifest_mismatch' | 'manifest_version' | 'export_busy';

/** An export cannot be used; the message names the file and what would be right. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  constructor(
    readonly code: ExportErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function manifestText({ watermark, events, segments }: ExportManifest): string {
  const manifest = { format: FORMAT, format_version: FORMAT_VERSION, watermark, events, segments };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Reads the manifest at `path` and refuses one that contradicts itself; unknown keys are ignored. */
export function parseManifest(text: string, path: string): ExportManifest {
  try {
    return checkedManifest(text);
  } catch (error) {
    throw error instanceof ExportError ? new ExportError(error.code, `${path}: ${error.message}`) : error;
  }
}

function checkedManifest(text: string): ExportManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw mismatch('it is not JSON');
  }
  const manifest = value as Partial<ExportManifest> & { readonly format?: unknown; readonly format_version?: unknown };
  if (typeof value !== 'object' || value === null || manifest.format !== FORMAT)
    throw mismatch(`format is not "${FORMAT}"`);
  const { format_version: version } = manifest;
  if (!isCount(version) || version === 0) throw mismatch('format_version is not a whole number from 1');
  if (version > FORMAT_VERSION)
    throw new ExportError(
      'manifest_version',
      `it has format version ${version}, and this version of Heddle reads up to ${FORMAT_VERSION}`,
    );
  const { watermark, events, segments } = manifest;
  if (!Array.isArray(segments) || segments.length === 0) throw mismatch('segments is not a list with an entry');
  let before: ExportSegment | null = null;
  for (const segment of segments as readonly unknown[]) {
    if (!isObject(segment)) throw mismatch('a segment is not an object');
    before = checkedSegment(segment as unknown as ExportSegment, before);
  }
  const total = (segments as readonly ExportSegment[]).reduce((sum, segment) => sum + segment.events, 0);
  if (events !== total) throw mismatch(`events is ${String(events)}, and the segments hold ${total}`);
  if (!isObject(watermark) || watermark.seq !== before?.to_seq || watermark.chain !== before.chain)
    throw mismatch('the watermark is not the end of the last segment');
  return { watermark, events, segments: segments as readonly ExportSegment[] };
}

function checkedSegment(segment: ExportSegment, before: ExportSegment | null): ExportSegment {
  const { from_seq: from, to_seq: to, events, chain_before: chainBefore, chain, files } = segment;
  if (!isCount(from) || !isCount(to) || from < 1 || to < from || events !== to - from + 1)
    throw mismatch(`the segment ${String(from)} to ${String(to)} does not hold ${String(events)} events`);
  if (!isDigest(chain) || !isDigest(chainBefore)) throw mismatch(`the segment ${from} to ${to} has no chain`);
  if (before !== null && (from !== before.to_seq + 1 || chainBefore !== before.chain))
    throw mismatch(`the segment ${from} to ${to} does not continue the one that ends at seq ${before.to_seq}`);
  if (!Array.isArray(files)) throw mismatch(`the segment ${from} to ${to} has no files`);
  let held = 0;
  for (const file of files as readonly ExportFile[]) {
    if (!isObject(file)) throw mismatch(`a file of the segment ${from} to ${to} is not an object`);
    if (typeof file.path !== 'string' || !EXPORTED_FILE.test(file.path))
      throw mismatch(`"${String(file.path)}" is not the path of a file of an export`);
    if (!isCount(file.events) || !isCount(file.bytes) || !isDigest(file.sha256))
      throw mismatch(`${file.path} has no size or digest`);
    held += file.events;
  }
  if (held !== events) throw mismatch(`the files of the segment ${from} to ${to} hold ${held} events, not ${events}`);
  return segment;
}

function mismatch(what: string): ExportError {
  return new ExportError('manifest_mismatch', what);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{64}$/.test(value);
}
