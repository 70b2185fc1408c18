/** What a call or its answer carries: JSON, and bytes where there are any that JSON would double. */
export interface Parcel {
  /** Anything that JSON holds. */
  readonly head: unknown;
  /** Sent one behind the other: the head says how long each is. */
  readonly bytes?: readonly Uint8Array[];
}

export interface ReceivedParcel {
  readonly head: unknown;
  /** All bytes behind the head; empty when there were none. */
  readonly bytes: Buffer;
}

/** A parcel that is not in its form. */
export class MalformedParcelError extends Error {
  override readonly name = 'MalformedParcelError';
}

const NO_BYTES = Buffer.alloc(0);
const PREFIX = 4;

/** The parcel in parts: length of the JSON (32 bits, big-endian), JSON, bytes. */
export function encodeParts({ head, bytes = [] }: Parcel): Buffer {
  const json = JSON.stringify(head) ?? 'null';
  const jsonBytes = Buffer.byteLength(json);
  // In one piece: the collector counts what buffers hold, and looks at the whole heap when that is much.
  const parts = Buffer.allocUnsafe(bytes.reduce((sum, piece) => sum + piece.length, PREFIX + jsonBytes));
  parts.writeUInt32BE(jsonBytes);
  parts.write(json, PREFIX);
  let at = PREFIX + jsonBytes;
  for (const piece of bytes) {
    parts.set(piece, at);
    at += piece.length;
  }
  return parts;
}

export function decodeParts(parcel: Buffer): ReceivedParcel {
  const length = parcel.length < PREFIX ? Number.NaN : parcel.readUInt32BE();
  if (!(length <= parcel.length - PREFIX)) throw new MalformedParcelError('the parcel is shorter than it says');
  const json = parcel.subarray(PREFIX, PREFIX + length);
  return { head: parse(json), bytes: parcel.subarray(PREFIX + length) };
}

export function decodeJson(parcel: Buffer): ReceivedParcel {
  return { head: parcel.length === 0 ? null : parse(parcel), bytes: NO_BYTES };
}

/** Cuts the bytes behind a head into the pieces whose lengths the head told. */
export function cutBytes(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  let at = 0;
  const pieces = lengths.map((length) => bytes.subarray(at, (at += length)));
  if (at !== bytes.length) throw new MalformedParcelError('the bytes of the parcel are not as long as its head says');
  return pieces;
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    throw new MalformedParcelError('the head of the parcel is not JSON');
  }
}
