import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { accepted, isUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, ContentRange, StoredContent } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';

interface StoredRow {
  readonly object_key: BlobKey;
  readonly hash: string;
  readonly size_bytes: number;
  readonly damaged: boolean;
}

/** Whether a record still names the bytes does not matter. Parameter: object key. */
const FIND_STORED: Statement = {
  name: 'assets.find_stored',
  text: `select b.object_key, b.hash, b.size_bytes::float8 as size_bytes, b.damaged_at is not null as damaged
         from assets.blob b where b.object_key = $1
           and not exists (select from assets.verdict v where v.hash = b.hash and v.blocked)`,
};

/** The bytes that a signed URL names: a delete of the asset does not end it, a blocking verdict does (accounts, Signed URL). */
@Injectable()
export class ReadStoredHandler {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  async handle(objectKey: string): Promise<Answer<StoredContent>> {
    const found = await this.#find(objectKey);
    return found.ok ? accepted({ hash: found.value.hash, sizeBytes: found.value.size_bytes }) : found;
  }

  async bytes(objectKey: string, range?: ContentRange): Promise<Answer<Readable>> {
    const found = await this.#find(objectKey);
    return found.ok ? accepted(await this.store.read(found.value.object_key, range)) : found;
  }

  async #find(objectKey: string): Promise<Answer<StoredRow>> {
    const [row] = isUuid(objectKey) ? await this.database.query<StoredRow>(FIND_STORED, [objectKey]) : [];
    if (row === undefined) return rejected(refuse('forbidden', { case: 'signed_url' }));
    if (row.damaged) return rejected(refuse('upstream_error', { case: 'content_damaged' }));
    return accepted(row);
  }
}
