import { hash } from 'node:crypto';
import type { BinaryRow } from '@heddle/platform-database';

/** Columns of an event aliased `e` in link order. COPY writes them with the same functions that build the link. */
export const LINK_COLUMNS = `e.event_id, e.stream_id, e.version, e.schema_version, e.account_id, e.deployment_id, e.fence, e.worker_seq,
  e.is_terminal, e.recorded_at, e.causation_id, e.type, e.correlation_id, e.data_digest, e.data`;

/** Indexes of the link's columns after the first one. */
const AT = {
  fence: 6,
  workerSeq: 7,
  isTerminal: 8,
  recordedAt: 9,
  causationId: 10,
  type: 11,
  correlationId: 12,
} as const;
export const DIGEST_AT = 13;
export const DATA_AT = 14;
/** Total width of the fixed-width columns: five ids of 16 bytes, numbers, flag and time. */
const FIXED_BYTES = 111;
export const DIGEST_BYTES = 32;

/**
 * Writes the link of an event (docs/architecture/02-event-log.md, the chain) after the 32 bytes of the previous chain.
 * Independent of the server: it copies column bytes and computes the payload digest itself.
 */
export class LinkBytes {
  #scratch = Buffer.alloc(4_096);

  /**
   * Returns `before` and the link as a view that the next call overwrites. `first` is the index of the first link
   * column in the row.
   */
  of(before: Buffer, row: BinaryRow, first: number): Buffer {
    const texts = row.length(first + AT.type) + row.length(first + AT.correlationId) + 2;
    const length = before.length + FIXED_BYTES + texts + DIGEST_BYTES;
    if (length > this.#scratch.length) this.#scratch = Buffer.alloc(length * 2);
    const bytes = this.#scratch;
    let at = before.copy(bytes, 0);
    for (let column = 0; column < AT.fence; column++) at = row.copy(first + column, bytes, at);
    at = orFilled(row, first + AT.fence, 8, 0xff, bytes, at);
    at = orFilled(row, first + AT.workerSeq, 8, 0xff, bytes, at);
    at = row.copy(first + AT.isTerminal, bytes, at);
    at = row.copy(first + AT.recordedAt, bytes, at);
    at = orFilled(row, first + AT.causationId, 16, 0, bytes, at);
    at = row.copy(first + AT.type, bytes, at);
    bytes[at++] = 0;
    at = row.copy(first + AT.correlationId, bytes, at);
    bytes[at++] = 0;
    if (row.isNull(first + DATA_AT)) at = row.copy(first + DIGEST_AT, bytes, at);
    else at = digestInto(bytes, at, row.bytes(first + DATA_AT));
    return bytes.subarray(0, at);
  }
}

/** Null is encoded as -1, or as an id of zeros. */
function orFilled(row: BinaryRow, field: number, width: number, filler: number, target: Buffer, at: number): number {
  if (!row.isNull(field)) return row.copy(field, target, at);
  target.fill(filler, at, at + width);
  return at + width;
}

/** Writes the SHA-256 of some bytes and returns the index after it. A digest as a string costs 0.5 us, as a new buffer 1.3 us. */
export function digestInto(target: Buffer, at: number, bytes: Buffer): number {
  return at + target.write(hash('sha256', bytes, 'binary'), at, 'latin1');
}
