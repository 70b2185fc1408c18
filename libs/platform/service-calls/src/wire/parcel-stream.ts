import { decodeParts, encodeParts, MalformedParcelError } from './parcel.js';
import type { Parcel, ReceivedParcel } from './parcel.js';

/** The longest parcel that is read: leases with the workflows of all slots of a worker. */
const LONGEST_PARCEL = 512 * 1024 * 1024;
const PREFIX = 4;

/** The head of the parcel that ends an answer which failed after it had begun. */
export interface FailureParcel {
  readonly failure: { readonly status: number; readonly code: string; readonly message: string };
}

export function failureIn(head: unknown): FailureParcel['failure'] | null {
  if (typeof head !== 'object' || head === null || !('failure' in head)) return null;
  return (head as FailureParcel).failure;
}

/** A sign of life. */
export const BEAT = Buffer.alloc(PREFIX);

export function encodeKept(parcel: Parcel): Buffer[] {
  const parts = encodeParts(parcel);
  const prefix = Buffer.allocUnsafe(PREFIX);
  prefix.writeUInt32BE(parts.length);
  return [prefix, parts];
}

/** Puts parcels together from chunks as they come. */
export class ParcelReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The parcels that are complete with this chunk; signs of life are left out. */
  push(chunk: Buffer): ReceivedParcel[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const parcels: ReceivedParcel[] = [];
    for (let wanted = this.#wanted(); wanted !== null && this.#length >= wanted; wanted = this.#wanted()) {
      const all = this.#joined();
      if (wanted > PREFIX) parcels.push(decodeParts(all.subarray(PREFIX, wanted)));
      this.#chunks = wanted === all.length ? [] : [all.subarray(wanted)];
      this.#length -= wanted;
    }
    return parcels;
  }

  /** Length of the next parcel with its prefix, null while that is unknown. Chunks are joined once it is complete. */
  #wanted(): number | null {
    if (this.#length < PREFIX) return null;
    const first = this.#chunks[0]!.length >= PREFIX ? this.#chunks[0]! : this.#joined();
    const length = first.readUInt32BE();
    if (length > LONGEST_PARCEL) throw new MalformedParcelError(`a parcel of ${length} bytes is too long`);
    return PREFIX + length;
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0]!;
  }
}
