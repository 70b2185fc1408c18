import { hash } from 'node:crypto';
import type { BinaryRow } from '@heddle/platform-database';
import { eventOfLink, type NumberedEvent } from '@heddle/platform-event-log';
import { LINE_FIELDS, type LineForm } from './line-fields.js';

/** An event as a line of `LINE_FIELDS`, and what decides where the line goes. */
export interface SegmentLine {
  readonly type: string;
  /** Milliseconds. */
  readonly recordedAt: number;
  readonly seq: number;
  readonly line: Buffer;
}

const LINK = 0;
const TYPE = 1;
/** Index of the first field in a row. */
const FIELDS = 2;
const RECORDED_AT = FIELDS;
const SEQ = FIELDS + 1;
const CHAIN = FIELDS + LINE_FIELDS.length - 1;
const FORMS = LINE_FIELDS.map(({ form }) => form);
const [TAB, LINE_FEED, T, F, ZERO, MINUS] = Buffer.from('\t\ntf0-') as unknown as number[];
/** What no field is longer than, except for the hex digits of its bytes. */
const NUMBER_BYTES = 24;

/** Makes lines of rows of `rowColumns`. A line is a view that the next one overwrites. */
export class LineOfRow {
  #scratch = Buffer.alloc(64 * 1024);

  /** Null for a number that has neither an event nor a link. */
  of(row: BinaryRow): SegmentLine | null {
    if (row.isNull(TYPE)) return row.isNull(LINK) ? null : lineOfDetached(row);
    const needed = this.#neededBytes(row);
    if (needed > this.#scratch.length) this.#scratch = Buffer.alloc(needed * 2);
    const target = this.#scratch;
    let at = 0;
    for (let n = 0; n < FORMS.length; n += 1) {
      if (n > 0) target[at++] = TAB!;
      if (!row.isNull(FIELDS + n)) at = writeField(row, FIELDS + n, FORMS[n]!, target, at);
    }
    target[at++] = LINE_FEED!;
    const [type, recordedAt, seq] = [row.text(TYPE), row.milliseconds(RECORDED_AT), row.integer(SEQ)];
    return { type, recordedAt, seq, line: target.subarray(0, at) };
  }

  #neededBytes(row: BinaryRow): number {
    let bytes = 0;
    for (let n = FIELDS; n <= CHAIN; n += 1) bytes += row.length(n) * 2 + NUMBER_BYTES;
    return bytes;
  }
}

/** The line of an event that comes from elsewhere than a row. */
export function lineOfEvent(event: NumberedEvent): SegmentLine {
  const recordedAt = Date.parse(event.recordedAt);
  const digest = event.data === null ? event.dataDigest : hash('sha256', event.data, 'buffer');
  const fields = [
    recordedAt,
    event.seq,
    event.eventId,
    event.streamId,
    event.version,
    event.schemaVersion,
    event.accountId,
    event.deploymentId,
    event.fence,
    event.workerSeq,
    event.isTerminal,
    event.causationId,
    event.correlationId === null ? null : Buffer.from(event.correlationId).toString('hex'),
    event.data?.toString('hex'),
    digest?.toString('hex'),
    event.chain?.toString('hex'),
  ];
  const line = Buffer.from(`${fields.map((field) => field ?? '').join('\t')}\n`);
  return { type: event.type, recordedAt, seq: Number(event.seq), line };
}

/** A detached event is known by its link alone. */
function lineOfDetached(row: BinaryRow): SegmentLine {
  const event = eventOfLink(Buffer.from(row.bytes(LINK)));
  return lineOfEvent({ ...event, seq: row.int64(SEQ), chain: Buffer.from(row.bytes(CHAIN)) });
}

function writeField(row: BinaryRow, field: number, form: LineForm, target: Buffer, at: number): number {
  if (form === 'hex') return row.hex(field, target, at);
  if (form === 'number') return writeNumber(row.integer(field), target, at);
  if (form === 'milliseconds') return writeNumber(row.milliseconds(field), target, at);
  target[at] = row.flag(field) ? T! : F!;
  return at + 1;
}

/** Several times as fast as a string of it. */
function writeNumber(value: number, target: Buffer, at: number): number {
  let [rest, digits, to] = [Math.abs(value), 1, at];
  if (value < 0) target[to++] = MINUS!;
  for (let power = 10; power <= rest; power *= 10) digits += 1;
  for (let n = to + digits - 1; n >= to; n -= 1) {
    const tenth = Math.floor(rest / 10);
    target[n] = ZERO! + (rest - tenth * 10);
    rest = tenth;
  }
  return to + digits;
}
