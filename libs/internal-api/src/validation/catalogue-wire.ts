import type { NodePackage, PinnedCatalogue } from '@heddle/contracts-messages';
import type {
  PackageVersion,
  PinnedCatalogue as CatalogueMessage,
} from '../generated/heddle/validation/v1/validation.js';

export function catalogueMessage(pinned: PinnedCatalogue | null): CatalogueMessage | undefined {
  if (pinned === null) return undefined;
  return { engine: pinned.engine, hash: pinned.catalogueHash ?? undefined, packages: [...pinned.packages] };
}

export function catalogueOf(message: CatalogueMessage | undefined): PinnedCatalogue | null {
  if (message === undefined) return null;
  return { engine: message.engine, catalogueHash: message.hash ?? null, packages: message.packages };
}

export function packageMessage({ nodeId, version }: NodePackage): PackageVersion {
  return { id: nodeId, version };
}

export function packageOf({ id, version }: PackageVersion): NodePackage {
  return { nodeId: id, version };
}
