import { Blake3Hasher } from '@napi-rs/blake-hash';
import { blobHashOf } from '@heddle/assets-domain';
import type { AccountId } from '@heddle/contracts-messages';
import { failpoint } from '@heddle/platform-database';
import { newBlobKey } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore, BlobWriter } from '@heddle/platform-blob-store';
import type { AssetsDatabase } from '../assets-database/assets-database.js';
import { CLOSE_INTENT, OPEN_INTENT, RENEW_INTENT } from './upload-intent.sql.js';

/** What the server knows about bytes once all have arrived. */
export interface BlobFacts {
  readonly hash: string;
  readonly sizeBytes: number;
}

/** The owner of the bytes, and how long their row lasts without renewal. */
interface UploadIntent {
  readonly accountId: AccountId;
  readonly leaseMs: number;
}

/**
 * Bytes being stored under a key of their own, hashed as they pass. Nothing refers to them until a transaction settles
 * them (`SETTLE_BLOB`); until then their intent row is their only trace, which guides the sweeper.
 */
export class StagedBlob {
  #key: BlobKey | null = null;
  readonly #hasher = new Blake3Hasher();
  #sizeBytes = 0;
  #writer: BlobWriter | null = null;
  /** Bytes that arrived before the writer was open. */
  #early: Buffer[] | null = [];
  #opening: Promise<void> | null = null;
  #renewal: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: AssetsDatabase,
    private readonly store: BlobStore,
    private readonly intent: UploadIntent,
    private readonly onTaken?: (chunk: Buffer) => void,
  ) {}

  /** The object's key; there is none before the first byte, or `finish`. */
  get key(): BlobKey {
    if (this.#key === null) throw new Error('nothing was staged');
    return this.#key;
  }

  /** Takes bytes without a copy; if a promise is returned, wait for it before the next ones. */
  take(bytes: Buffer): Promise<void> | undefined {
    this.#sizeBytes += bytes.length;
    this.#hasher.update(bytes);
    if (this.#early !== null || this.#writer === null) {
      this.#early?.push(bytes);
      return this.#open();
    }
    failpoint('assets.upload.mid-stream');
    const wait = this.#writer.write(bytes);
    wait?.catch(ignore);
    return wait;
  }

  facts(): BlobFacts {
    return { hash: blobHashOf(this.#hasher.digest('hex')), sizeBytes: this.#sizeBytes };
  }

  /** Resolves when the bytes are on stable storage. */
  async finish(): Promise<void> {
    await this.#open();
    await this.#writer?.finish();
    failpoint('assets.upload.stored');
  }

  /** The bytes are settled, or the outcome is unknown: from now on only the intent row decides. */
  release(): void {
    if (this.#renewal !== null) clearInterval(this.#renewal);
  }

  /** Removes everything written. If something cannot be removed now, its intent row stays for the sweeper. */
  async discard(): Promise<void> {
    if (this.#opening === null) return;
    try {
      await this.#opening.catch(ignore);
      this.release();
      await this.#writer?.abort();
      if (this.#key === null) return;
      await this.store.delete(this.#key);
      await this.database.query(CLOSE_INTENT, [this.#key]);
    } catch {
      // The sweeper finds the intent row.
    }
  }

  #open(): Promise<void> {
    if (this.#opening === null) {
      this.#opening = this.#openOnce();
      // The waiting caller may have given up: the failure surfaces again in `finish`.
      this.#opening.catch(ignore);
    }
    return this.#opening;
  }

  async #openOnce(): Promise<void> {
    const { accountId, leaseMs } = this.intent;
    const key = newBlobKey();
    await this.database.query(OPEN_INTENT, [key, accountId, leaseMs]);
    this.#key = key;
    failpoint('assets.upload.intent');
    this.#renewal = setInterval(() => void this.#renew(), leaseMs / 3).unref();
    this.#writer = await this.store.write(key, this.onTaken);
    for (let bytes = this.#early?.shift(); bytes !== undefined; bytes = this.#early?.shift()) {
      await this.#writer.write(bytes);
    }
    this.#early = null;
  }

  async #renew(): Promise<void> {
    // A failed renewal is retried in time; an expired lease shows when the bytes are settled.
    await this.database.query(RENEW_INTENT, [this.key, this.intent.leaseMs]).catch(ignore);
  }
}

function ignore(): void {
  // Surfaces again in `finish`, or in the waiting call.
}
