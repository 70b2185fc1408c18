import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileSeq, readCheckpoint } from './checkpoint-file.js';
import type { SignedCheckpoint } from './signed-checkpoint.js';

const MAX_FILE_BYTES = 4_096;

/**
 * A checkpoint of a folder that anybody may have written to: a link is not followed, and nothing but a small plain file is read. Throws an
 * error that says what is wrong with it (`reasonOf`). Its signature is not checked.
 */
export async function readCheckpointFile(folder: string, name: string): Promise<SignedCheckpoint> {
  const checkpoint = readCheckpoint(await smallFile(join(folder, name), constants.O_NOFOLLOW));
  if (checkpoint.seq !== checkpointFileSeq(name)) throw new Error(`it is a checkpoint of seq ${checkpoint.seq}`);
  return checkpoint;
}

/** Opened without waiting, so that a pipe nobody writes to holds nobody up. */
export async function smallFile(path: string, flags = 0): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('it is not a plain file');
    if (stat.size > MAX_FILE_BYTES) throw new Error(`it has ${stat.size} bytes, more than ${MAX_FILE_BYTES}`);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Why a file cannot be used. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' ? 'it is a symbolic link' : message;
}
