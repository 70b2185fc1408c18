import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { BusMessage } from '../bus/message-bus.js';
import { UnpublishableMessageError } from './bus-failures.js';

/** Record format, in the header `heddle-version`; readers turn other versions into dead letters. */
const VERSION = '1';

/** Prefix of the bus's own headers; a message's headers must not start with it. */
export const OWN_HEADERS = 'heddle-';
const ID = 'heddle-id';
const TYPE = 'heddle-type';
const VERSION_HEADER = 'heddle-version';

const MAX_KEY_BYTES = 1024;
const MAX_HEADERS = 64;
const MAX_HEADER_BYTES = 16 * 1024;
/** Overhead of a record beside its own bytes. */
const FRAME_BYTES = 64;

/** A record to send; a dead letter may have neither key nor content. */
export interface OutgoingRecord {
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
  readonly bytes: number;
}

/** The record of a message. Throws `UnpublishableMessageError` if no reader would accept it. */
export function recordOf(topic: string, message: BusMessage, maxBytes: number): OutgoingRecord {
  const { id, type } = message;
  const key = Buffer.from(message.key);
  const refuse = (why: string): never => {
    throw new UnpublishableMessageError(`The message ${id} for ${topic} cannot be published: ${why}.`);
  };
  if (key.length === 0 || key.length > MAX_KEY_BYTES) refuse(`its key must have 1 to ${MAX_KEY_BYTES} bytes`);
  if (id === '' || type === '') refuse('it must have an id and a type');
  const own = Object.keys(message.headers);
  if (own.some((name) => name.startsWith(OWN_HEADERS))) refuse(`one of its headers begins with ${OWN_HEADERS}`);
  const headers = { [ID]: id, [TYPE]: type, [VERSION_HEADER]: VERSION, ...message.headers };
  const headerBytes = bytesOf(headers);
  if (own.length + 3 > MAX_HEADERS || headerBytes > MAX_HEADER_BYTES) {
    refuse(`it has more than ${MAX_HEADERS} headers, or more than ${MAX_HEADER_BYTES} bytes of headers`);
  }
  const value = Buffer.from(JSON.stringify(message.payload));
  const bytes = value.length + key.length + headerBytes + FRAME_BYTES;
  if (bytes > maxBytes) refuse(`it has ${bytes} bytes, more than the limit of ${maxBytes}`);
  return { topic, key, value, headers, bytes };
}

/** The message of a record, or why it cannot be read; then `message` holds the readable part. */
interface ReadMessage {
  readonly message: BusMessage;
  readonly malformed: string | null;
}

/** Parses any record; never throws. */
export function readRecord(record: KafkaMessage, maxBytes: number): ReadMessage {
  const key = record.key?.toString('utf8') ?? '';
  const all = record.headers ?? {};
  const names = Object.keys(all);
  const headers: Record<string, string> = {};
  for (const name of names) if (!name.startsWith(OWN_HEADERS)) headers[name] = singleHeaderText(all[name]) ?? '';
  const id = singleHeaderText(all[ID]) ?? '';
  const type = singleHeaderText(all[TYPE]) ?? '';
  const bad = (malformed: string): ReadMessage => ({ message: { key, id, type, payload: null, headers }, malformed });

  const headerBytes = bytesOf(all);
  const bytes = bytesBeside(record) + headerBytes;
  if (bytes > maxBytes) return bad(`it has ${bytes} bytes, more than the limit of ${maxBytes}`);
  if (names.length > MAX_HEADERS || headerBytes > MAX_HEADER_BYTES) return bad('it has too many headers');
  const version = singleHeaderText(all[VERSION_HEADER]);
  if (version !== VERSION) {
    return bad(
      `its version is ${version === undefined ? 'missing' : `"${version.slice(0, 20)}"`}, only "${VERSION}" is known`,
    );
  }
  if (key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES) return bad('it has no key, or a key that is too long');
  if (id === '' || type === '') return bad('it has no id or no type');
  if (record.value === null) return bad('it has no content');
  try {
    const payload: unknown = JSON.parse(record.value.toString('utf8'));
    return { message: { key, id, type, payload, headers }, malformed: null };
  } catch (error) {
    return bad(`its content is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Size of a record in bytes: key, content, headers. */
export function sizeOf(record: KafkaMessage): number {
  return bytesBeside(record) + bytesOf(record.headers ?? {});
}

function bytesBeside({ key, value }: KafkaMessage): number {
  return (value?.length ?? 0) + (key?.length ?? 0) + FRAME_BYTES;
}

/** Undefined if the header is missing or repeated. */
function singleHeaderText(value: IHeaders[string]): string | undefined {
  return value === undefined || Array.isArray(value) ? undefined : value.toString();
}

function bytesOf(headers: IHeaders): number {
  let bytes = 0;
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    bytes += Buffer.byteLength(name) + 4;
    if (Array.isArray(value)) for (const one of value) bytes += Buffer.byteLength(one);
    else bytes += Buffer.byteLength(value);
  }
  return bytes;
}
