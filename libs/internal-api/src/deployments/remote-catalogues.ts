import type { CataloguesPort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { CataloguesServiceService } from '../generated/heddle/deployments/v1/catalogues.js';

/** Stored documents of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteCatalogues implements CataloguesPort {
  constructor(private readonly channel: ServiceChannel) {}

  async document(hash: string): Promise<Uint8Array | null> {
    return (await this.channel.call(CataloguesServiceService.document, { hash })).document ?? null;
  }
}
