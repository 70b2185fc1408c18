import { decodeParts, encodeParts, MalformedMessageError } from './call-message.js';
import type { CallMessage, ReceivedMessage } from './call-message.js';

/** The longest frame that is read: leases with the workflows of all slots of a worker. */
const LONGEST_FRAME = 512 * 1024 * 1024;
const PREFIX = 4;

/** The head of the frame that ends an answer which failed after it had begun. */
export interface FailureFrame {
  readonly failure: { readonly status: number; readonly code: string; readonly message: string };
}

export function failureIn(head: unknown): FailureFrame['failure'] | null {
  if (typeof head !== 'object' || head === null || !('failure' in head)) return null;
  return (head as FailureFrame).failure;
}

/** A sign of life. */
export const BEAT = Buffer.alloc(PREFIX);

export function encodeFrame(message: CallMessage): Buffer[] {
  const parts = encodeParts(message);
  const prefix = Buffer.allocUnsafe(PREFIX);
  prefix.writeUInt32BE(parts.length);
  return [prefix, parts];
}

/** Puts frames together from chunks as they come. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The frames that are complete with this chunk; signs of life are left out. */
  push(chunk: Buffer): ReceivedMessage[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: ReceivedMessage[] = [];
    for (let wanted = this.#wanted(); wanted !== null && this.#length >= wanted; wanted = this.#wanted()) {
      const all = this.#joined();
      if (wanted > PREFIX) frames.push(decodeParts(all.subarray(PREFIX, wanted)));
      this.#chunks = wanted === all.length ? [] : [all.subarray(wanted)];
      this.#length -= wanted;
    }
    return frames;
  }

  /** Length of the next frame with its prefix, null while that is unknown. Chunks are joined once it is complete. */
  #wanted(): number | null {
    if (this.#length < PREFIX) return null;
    const first = this.#chunks[0]!.length >= PREFIX ? this.#chunks[0]! : this.#joined();
    const length = first.readUInt32BE();
    if (length > LONGEST_FRAME) throw new MalformedMessageError(`a frame of ${length} bytes is too long`);
    return PREFIX + length;
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0]!;
  }
}
