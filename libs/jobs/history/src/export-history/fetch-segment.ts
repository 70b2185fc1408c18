import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BinaryRow } from '@heddle/platform-database';
import { copyNumbers } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import { LineOfRow } from './segment-line.js';
import { rowColumns } from './line-fields.js';
import { SegmentParts, type SegmentPart } from './segment-parts.js';

const SCHEMA = 'jobs';

export interface SegmentRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** A segment on its way from the database to the export. */
export interface FetchedSegment extends SegmentRange {
  /** Holds the files of its parts. */
  readonly folder: string;
  /** By day and type. */
  readonly parts: readonly SegmentPart[];
}

export interface StagingOptions {
  /** Folder of fetched segments. */
  readonly staging: string;
  readonly redact: boolean;
  readonly signal: AbortSignal;
}

/** Fetches the events of a segment into files of a new folder below `staging`; a failed fetch leaves files there. */
export async function fetchSegment(
  client: ClientBase,
  { from, to }: SegmentRange,
  { staging, redact, signal }: StagingOptions,
): Promise<FetchedSegment> {
  const folder = join(staging, String(from));
  await mkdir(folder);
  const parts = new SegmentParts(folder);
  let events = 0;
  const lines = new LineOfRow();
  const take = (row: BinaryRow): void => {
    const line = lines.of(row);
    if (line === null) return;
    parts.take(line);
    events += 1;
  };
  await copyNumbers(client, SCHEMA, { columns: rowColumns(redact), after: from - 1n, to }, take, signal);
  if (events !== Number(to - from) + 1)
    throw new Error(`the log has a gap between seq ${from} and ${to}: heddle history verify names it`);
  return { from, to, folder, parts: parts.finish() };
}
