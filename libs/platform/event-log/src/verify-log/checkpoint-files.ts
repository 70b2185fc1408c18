import { createPublicKey, type KeyObject } from 'node:crypto';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileSeq, PUBLIC_KEY_FILE } from '../checkpoints/checkpoint-file.js';
import { readCheckpointFile, reasonOf, smallFile } from '../checkpoints/read-checkpoint-file.js';
import type { SignedCheckpoint } from '../checkpoints/signed-checkpoint.js';
import type { FaultList } from './log-fault.js';

const MAX_FILES = 100_000;

/** The folder cannot be used; the message says why. */
export class CheckpointFolderError extends Error {
  override readonly name = 'CheckpointFolderError';
}

interface CheckpointFile {
  readonly file: string;
  readonly checkpoint: SignedCheckpoint;
}

interface CheckpointFiles {
  /** Null if the folder has no public key. */
  readonly publicKey: KeyObject | null;
  /** Readable checkpoints by seq; their content is not checked yet. */
  readonly files: readonly CheckpointFile[];
}

/**
 * Reads the checkpoints of a folder that anyone may write to: links are not followed, only small regular files are
 * read, and files with other names are ignored. A checkpoint file that cannot be valid is a fault.
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
    try {
      files.push({ file: name, checkpoint: await readCheckpointFile(folder, name) });
    } catch (error) {
      const seq = checkpointFileSeq(name);
      faults.add('checkpoint', `${name} is not a usable checkpoint: ${reasonOf(error)}`, { seq, file: name });
    }
  }
  return { publicKey: await publicKeyOf(publicKeyFile ?? join(folder, PUBLIC_KEY_FILE)), files };
}

/** Followed if it is a link: mounted secrets are links. */
async function publicKeyOf(file: string): Promise<KeyObject | null> {
  try {
    return createPublicKey(await smallFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CheckpointFolderError(`the public key ${file} cannot be used: ${reasonOf(error)}`);
  }
}
