import type { PinnedCatalogue } from '@heddle/contracts-messages';
import type { PinnedCatalogue as CatalogueMessage } from '../generated/heddle/validation/v1/validation.js';

export function catalogueMessage(pinned: PinnedCatalogue | null): CatalogueMessage | undefined {
  return pinned === null ? undefined : { engine: pinned.engine, hash: pinned.catalogueHash ?? undefined };
}

export function catalogueOf(message: CatalogueMessage | undefined): PinnedCatalogue | null {
  return message === undefined ? null : { engine: message.engine, catalogueHash: message.hash ?? null };
}
