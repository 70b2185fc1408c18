import { Injectable } from '@nestjs/common';
import type { BulkItemWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { VersionReads } from '../find-versions/version-reads.js';
import type { BulkVersionRecord } from '../find-versions/version-reads.js';
import { renderVersion, shownStatus } from '../render-wire/version-wire.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import type { BulkItem } from './bulk-items.pipe.js';

/** Many versions by one statement: a result an item, in the order of the items, each twice where it was asked twice. */
@Injectable()
export class BulkVersionsHandler {
  constructor(
    private readonly versions: VersionReads,
    private readonly signer: VersionSigner,
  ) {}

  async handle(
    items: readonly BulkItem[],
    { accountId, token }: RegistryCaller,
    url: string,
  ): Promise<readonly BulkItemWire[]> {
    const pairs = items.map(({ node_id, version }) => [node_id, version] as const);
    const found = items.length === 0 ? new Map() : await this.versions.bulk(pairs, accountId);
    return items.map((identifier, at) => {
      const record = found.get(at) as BulkVersionRecord | undefined;
      if (record === undefined || shownStatus(record) === 'deleted') return { identifier, status: 'not_found' };
      const withReason = record.is_member || token?.publisherId === record.publisher_id;
      return this.#item(identifier, record, { url, withReason });
    });
  }

  /** The failure of one item leaves the others as they are. */
  #item(
    identifier: BulkItem,
    record: BulkVersionRecord,
    view: { readonly url: string; readonly withReason: boolean },
  ): BulkItemWire {
    try {
      return { identifier, status: 'success', node_version: renderVersion(record, { ...view, signer: this.signer }) };
    } catch {
      return { identifier, status: 'error', error_message: 'The version could not be read.' };
    }
  }
}
