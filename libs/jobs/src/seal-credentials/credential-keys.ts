import { stat } from 'node:fs/promises';
import { openKeyFile, readKeyFile } from '@heddle/platform-settings';
import type { FileKey } from '@heddle/platform-settings';
import { KEY_BYTES } from './sealed-credentials.js';

export const CREDENTIAL_KEYS = Symbol('CredentialKeys');

const LENGTH = { min: KEY_BYTES, max: KEY_BYTES };

/** The key-encryption keys of a file; the last one seals, every one unseals. */
export class CredentialKeys {
  #keys: ReadonlyMap<string, FileKey> = new Map();
  #newest: FileKey | null = null;
  /** The file as it was when it was last read. */
  #read = '';

  private constructor(readonly file: string) {}

  /**
   * `mayMake`: a missing file is made first.
   *
   * @throws an Error that names the line of the file, never a key
   */
  static async open(file: string, mayMake = false): Promise<CredentialKeys> {
    const keys = new CredentialKeys(file);
    if (mayMake) await openKeyFile(file, LENGTH);
    await keys.readAgain();
    return keys;
  }

  /** Reads the file if it has changed; true if it has. While it cannot be read, the keys stay. */
  async readAgain(): Promise<boolean> {
    const { mtimeNs, size, ino } = await stat(this.file, { bigint: true });
    const found = `${mtimeNs} ${size} ${ino}`;
    if (found === this.#read) return false;
    // Changes while it is read give it another time or size.
    const keys = await readKeyFile(this.file, LENGTH);
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#newest = keys.at(-1)!;
    this.#read = found;
    return true;
  }

  /** In the order of the file. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  get newest(): FileKey {
    return this.#newest!;
  }

  find(id: string): FileKey | undefined {
    return this.#keys.get(id);
  }
}
