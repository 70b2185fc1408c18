import type { ClientBase } from 'pg';
import { leftovers, type ExportPlace } from '../export-place/export-place.js';
import { ExportError, type ExportManifest, type ExportSegment, type Watermark } from '../export-place/manifest.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { logBounds, type LogBounds } from './log-bounds.js';
import type { SegmentRange } from './fetch-segment.js';
import { SegmentWriter } from './segment-writer.js';
import { stagedSegments } from './staged-segments.js';

/** Beside the lock; no reader looks at it. */
const STAGING = '.export.staging';
/** One thread writes as fast as one connection reads, and leaves the next core to it. */
const ENGINE_SIZE = { memory: '150MB', threads: 1 };

export interface ExportOptions {
  readonly place: ExportPlace;
  /** The last seq; null: all that have a number when the export starts. */
  readonly until: bigint | null;
  /** Events per segment. */
  readonly segment: number;
  readonly redact: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: { readonly events: number; readonly total: number }) => void;
}

export interface ExportReport {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly events: number;
  readonly files: number;
  readonly bytes: number;
  /** Null for an empty log. */
  readonly watermark: Watermark | null;
}

/**
 * Writes the events behind the manifest's watermark to Parquet, segment by segment. The manifest is published after
 * each segment, so an interrupted export continues there, and no reader sees a file that is not complete.
 */
export async function exportHistory(client: ClientBase, options: ExportOptions): Promise<ExportReport> {
  return await options.place.exclusively(async () => await exportInto(client, options));
}

async function exportInto(client: ClientBase, options: ExportOptions): Promise<ExportReport> {
  const { place } = options;
  let manifest = await place.manifest();
  const bounds = await logBounds(client, manifest?.watermark.seq ?? null);
  if (manifest !== null) refuseOther(manifest, bounds, place.name);
  // What a crash left is deleted here, and never by a reader.
  for (const path of await leftovers(place, manifest)) await place.remove(path);
  const first = manifest === null ? bounds.first : BigInt(manifest.watermark.seq) + 1n;
  const last = options.until === null || options.until > bounds.last ? bounds.last : options.until;
  const total = last < first ? 0 : Number(last - first + 1n);
  const written: ExportSegment[] = [];
  if (total > 0) {
    const engine = await HistoryEngine.open(ENGINE_SIZE);
    try {
      const writer = new SegmentWriter(engine.connection, place, options.redact);
      let chainBefore = manifest?.watermark.chain ?? bounds.chainBefore.toString('hex');
      const staged = { staging: place.localPath(STAGING), redact: options.redact, signal: options.signal };
      for await (const fetched of stagedSegments(client, rangesOf(first, last, options.segment), staged)) {
        const done = Number(fetched.from - first);
        const report = (events: number): void => options.onProgress?.({ events: done + events, total });
        const { segment, recordedAt } = await writer.write(fetched, chainBefore, options.signal, report);
        written.push(segment);
        chainBefore = segment.chain;
        manifest = {
          watermark: { seq: segment.to_seq, chain: segment.chain, recorded_at: recordedAt },
          events: (manifest?.events ?? 0) + segment.events,
          segments: [...(manifest?.segments ?? []), segment],
        };
        await place.publish(manifest);
      }
    } finally {
      engine.close();
    }
  }
  const files = written.flatMap((segment) => segment.files);
  return {
    fromSeq: Number(first),
    toSeq: total === 0 ? Number(first - 1n) : Number(last),
    events: total,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    watermark: manifest?.watermark ?? null,
  };
}

function* rangesOf(first: bigint, last: bigint, segment: number): Generator<SegmentRange> {
  for (let from = first; from <= last; from += BigInt(segment)) {
    const to = from + BigInt(segment) - 1n;
    yield { from, to: to < last ? to : last };
  }
}

/** The export must be of this log: the log has the watermark's chain at its seq. */
function refuseOther({ watermark }: ExportManifest, { chainAtWatermark, last }: LogBounds, path: string): void {
  if (chainAtWatermark?.toString('hex') === watermark.chain) return;
  throw new ExportError(
    'manifest_mismatch',
    chainAtWatermark === null
      ? `the export in ${path} ends at seq ${watermark.seq}, and this log has seq ${last} as its last: it is of another log`
      : `the export in ${path} is of another log: its chain at seq ${watermark.seq} is ${watermark.chain}, the log has ${chainAtWatermark.toString('hex')}`,
  );
}
