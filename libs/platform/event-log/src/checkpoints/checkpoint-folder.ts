import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkpointFileName, checkpointFileSeq, checkpointJson, PUBLIC_KEY_FILE } from './checkpoint-file.js';
import { readCheckpointFile, reasonOf } from './read-checkpoint-file.js';
import { check, keyIdOf, sign, type Checkpoint, type SignedCheckpoint } from './signed-checkpoint.js';

/** The newest checkpoint in a folder if its key signed it, otherwise what is wrong with it. */
export type FoundCheckpoint =
  { readonly file: string; readonly checkpoint: SignedCheckpoint } | { readonly file: string; readonly fault: string };

/**
 * Checkpoints outside the database, one file each, with the key pair that signs them. Several processes may share the
 * folder.
 */
export class CheckpointFolder {
  #key: Promise<KeyObject> | undefined;

  constructor(
    readonly folder: string,
    readonly keyFile: string = join(folder, 'key.pem'),
  ) {}

  /**
   * Creates the folder and the key pair if they are missing; only this user can read the private key. Throws file
   * system errors.
   */
  async sign(checkpoint: Checkpoint): Promise<SignedCheckpoint> {
    return sign(checkpoint, await this.#privateKey());
  }

  /** Atomic; flushed to disk when it resolves. */
  async write(signed: SignedCheckpoint): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await replaceFile(this.folder, checkpointFileName(signed.seq), checkpointJson(signed));
  }

  /** Null if the folder has no checkpoint file. */
  async newest(): Promise<FoundCheckpoint | null> {
    const names = (await namesIn(this.folder)).filter((name) => checkpointFileSeq(name) !== null).sort();
    const name = names.at(-1);
    if (name === undefined) return null;
    const file = join(this.folder, name);
    try {
      const checkpoint = await readCheckpointFile(this.folder, name);
      const publicKey = createPublicKey(await this.#privateKey());
      if (check(checkpoint, publicKey)) return { file, checkpoint };
      return checkpoint.keyId === keyIdOf(publicKey)
        ? { file, fault: 'its signature does not match: it was changed after it was signed' }
        : { file, fault: `the key ${checkpoint.keyId} signed it, not ${this.keyFile}` };
    } catch (error) {
      return { file, fault: reasonOf(error) };
    }
  }

  async #privateKey(): Promise<KeyObject> {
    this.#key ??= this.#openKey();
    this.#key.catch(() => (this.#key = undefined));
    return await this.#key;
  }

  async #openKey(): Promise<KeyObject> {
    try {
      return createPrivateKey(await readFile(this.keyFile, 'utf8'));
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    }
    const folder = dirname(this.keyFile);
    await mkdir(folder, { recursive: true });
    const { privateKey } = generateKeyPairSync('ed25519');
    const temporary = join(folder, `.${randomUUID()}.tmp`);
    try {
      await writeFlushed(temporary, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
      // Another process may create a key at the same moment; the first key wins.
      await link(temporary, this.keyFile).catch((error: unknown) => {
        if ((error as { code?: string }).code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(temporary, { force: true });
    }
    const key = createPrivateKey(await readFile(this.keyFile, 'utf8'));
    await replaceFile(folder, PUBLIC_KEY_FILE, createPublicKey(key).export({ type: 'spki', format: 'pem' }));
    return key;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}

/** Directory entries need a flush of their own. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A failure, such as a full disk, leaves no other file. */
async function replaceFile(folder: string, name: string, content: string | Buffer): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFlushed(temporary, content, 0o644);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(folder);
}

async function writeFlushed(file: string, content: string | Buffer, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
