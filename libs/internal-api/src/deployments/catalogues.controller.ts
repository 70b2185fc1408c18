import { BLOB_HASH, CATALOGUES_PORT } from '@heddle/contracts-messages';
import type { CataloguesPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { CataloguesServiceService } from '../generated/heddle/deployments/v1/catalogues.js';
import type { DocumentRequest, DocumentResponse } from '../generated/heddle/deployments/v1/catalogues.js';
import { VALIDATION } from '../internal-calls.js';

/** Serves CataloguesPort over gRPC. */
@GrpcController(CataloguesServiceService)
class CataloguesController implements Serving<typeof CataloguesServiceService> {
  constructor(@Inject(CATALOGUES_PORT) private readonly catalogues: CataloguesPort) {}

  async document({ hash }: DocumentRequest): Promise<DocumentResponse> {
    if (!BLOB_HASH.test(hash)) throw new MalformedCallError('the call names no digest of a document');
    const document = await this.catalogues.document(hash);
    return { document: document === null ? undefined : Buffer.from(document) };
  }
}

export const CATALOGUES_CALLS = {
  definition: CataloguesServiceService,
  rules: { document: { openTo: VALIDATION } },
  controller: CataloguesController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the validation service about pinned environments. */
export function servedCatalogues(catalogues: CataloguesPort): ServedContext {
  return { ...CATALOGUES_CALLS, providers: [{ provide: CATALOGUES_PORT, useValue: catalogues }] };
}
