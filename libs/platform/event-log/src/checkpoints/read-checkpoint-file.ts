import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileSeq, readCheckpoint } from './checkpoint-file.js';
import type { SignedCheckpoint } from './signed-checkpoint.js';

const MAX_FILE_BYTES = 4_096;

/**
 * Reads a checkpoint from a folder that anyone may write to: links are not followed, and only small regular files are
 * read. Throws an error that describes what is wrong (`reasonOf`). Does not check the signature.
 */
export async function readCheckpointFile(folder: string, name: string): Promise<SignedCheckpoint> {
  const checkpoint = readCheckpoint(await smallFile(join(folder, name), constants.O_NOFOLLOW));
  if (checkpoint.seq !== checkpointFileSeq(name)) throw new Error(`it is a checkpoint of seq ${checkpoint.seq}`);
  return checkpoint;
}

/** Non-blocking open: a pipe without a writer would block. */
export async function smallFile(path: string, flags = 0): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > MAX_FILE_BYTES) throw new Error(`it has ${stat.size} bytes, more than ${MAX_FILE_BYTES}`);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The reason a file cannot be used. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' ? 'it is a symbolic link' : message;
}
