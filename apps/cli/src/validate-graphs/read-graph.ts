import { open } from 'node:fs/promises';
import { unreadableText } from '../file-error.js';
import { withoutByteOrderMark } from '../run-workflow/graph-file.js';

/** The maximum body of a submission (`HEDDLE_BODY_BYTES`). */
export const MAX_GRAPH_BYTES = 10 * 1024 * 1024;

type GraphRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  /** A sentence that names the file. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads a graph file as `heddle run` does, up to the maximum size of a submission. */
export async function readGraph(path: string): Promise<GraphRead> {
  try {
    await using file = await open(path, 'r');
    const room = Buffer.alloc(64 * 1024);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(room);
      if (bytesRead === 0) return { kind: 'read', bytes: withoutByteOrderMark(Buffer.concat(chunks, size)) };
      size += bytesRead;
      if (size > MAX_GRAPH_BYTES) return { kind: 'too_large' };
      chunks.push(Buffer.from(room.subarray(0, bytesRead)));
    }
  } catch (error) {
    return { kind: 'unreadable', reason: unreadableText(path, error) };
  }
}
