import { createPublicKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileSeq, readCheckpoint } from '../checkpoints/checkpoint-file.js';
import type { SignedCheckpoint } from '../checkpoints/signed-checkpoint.js';
import type { FaultList } from './log-fault.js';

const MAX_FILE_BYTES = 4_096;
const MAX_FILES = 100_000;
const PUBLIC_KEY = 'key.pub.pem';

/** The folder cannot be used at all; the message says why. */
export class CheckpointFolderError extends Error {
  override readonly name = 'CheckpointFolderError';
}

export interface CheckpointFile {
  readonly file: string;
  readonly checkpoint: SignedCheckpoint;
}

export interface CheckpointFiles {
  /** Null where the folder has none. */
  readonly publicKey: KeyObject | null;
  /** Readable checkpoints by seq; what each claims is not checked yet. */
  readonly files: readonly CheckpointFile[];
}

/**
 * Reads the checkpoints of a folder that anybody may have written to: links are not followed, nothing but small plain files is read, and
 * files whose names are not those of checkpoints are left alone. A checkpoint's file that cannot be one is a fault.
 */
export async function readCheckpointFiles(
  folder: string,
  publicKeyFile: string | null,
  faults: FaultList,
): Promise<CheckpointFiles> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      if (checkpointFileSeq(name) !== null) names.push(name);
      if (names.length > MAX_FILES)
        throw new CheckpointFolderError(`${folder} holds more than ${MAX_FILES} checkpoints; move the oldest away`);
    }
  } catch (error) {
    if (error instanceof CheckpointFolderError) throw error;
    throw new CheckpointFolderError(`the checkpoint folder ${folder} cannot be read: ${(error as Error).message}`);
  }
  const files: CheckpointFile[] = [];
  for (const name of names.sort()) {
    const seq = checkpointFileSeq(name);
    try {
      const checkpoint = readCheckpoint(await smallFile(join(folder, name), constants.O_NOFOLLOW));
      if (checkpoint.seq !== seq) throw new Error(`it is a checkpoint of seq ${checkpoint.seq}`);
      files.push({ file: name, checkpoint });
    } catch (error) {
      faults.add('checkpoint', `${name} is not a usable checkpoint: ${reason(error)}`, { seq, file: name });
    }
  }
  return { publicKey: await publicKeyOf(publicKeyFile ?? join(folder, PUBLIC_KEY)), files };
}

/** A mounted secret is a link, so this one is followed. */
async function publicKeyOf(file: string): Promise<KeyObject | null> {
  try {
    return createPublicKey(await smallFile(file, 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CheckpointFolderError(`the public key ${file} cannot be used: ${reason(error)}`);
  }
}

/** Opened without waiting, so that a pipe nobody writes to holds nobody up. */
async function smallFile(path: string, flags: number): Promise<string> {
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

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' ? 'it is a symbolic link' : message;
}
