/** What a call or its answer carries: JSON, and bytes where there are any that JSON would double. */
export interface CallMessage {
  /** Anything that JSON holds. */
  readonly head: unknown;
  /** Sent one behind the other: the head says how long each is. */
  readonly bytes?: readonly Uint8Array[];
}

export interface ReceivedMessage {
  readonly head: unknown;
  /** All bytes behind the head; empty when there were none. */
  readonly bytes: Buffer;
}

/** A message that is not in its form. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

const NO_BYTES = Buffer.alloc(0);
const PREFIX = 4;

/** The message in parts: length of the JSON (32 bits, big-endian), JSON, bytes. */
export function encodeParts({ head, bytes = [] }: CallMessage): Buffer {
  const json = Buffer.from(JSON.stringify(head) ?? 'null');
  const prefix = Buffer.allocUnsafe(PREFIX);
  prefix.writeUInt32BE(json.length);
  return Buffer.concat([prefix, json, ...bytes]);
}

export function decodeParts(message: Buffer): ReceivedMessage {
  const length = message.length < PREFIX ? Number.NaN : message.readUInt32BE();
  if (!(length <= message.length - PREFIX)) throw new MalformedMessageError('the message is shorter than it says');
  const json = message.subarray(PREFIX, PREFIX + length);
  return { head: parse(json), bytes: message.subarray(PREFIX + length) };
}

export function decodeJson(message: Buffer): ReceivedMessage {
  return { head: message.length === 0 ? null : parse(message), bytes: NO_BYTES };
}

/** Cuts the bytes behind a head into the pieces whose lengths the head told. */
export function cutBytes(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  let at = 0;
  const pieces = lengths.map((length) => bytes.subarray(at, (at += length)));
  if (at !== bytes.length) throw new MalformedMessageError('the bytes of the message are not as long as its head says');
  return pieces;
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    throw new MalformedMessageError('the head of the message is not JSON');
  }
}
