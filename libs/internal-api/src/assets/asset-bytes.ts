import type { AssetId, AssetsPort, ContentRange, UploadRequest } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS } from '../internal-calls.js';

type WireUpload = Omit<UploadRequest, 'contentType' | 'body'> & { readonly contentType: string | null };
interface WireRange {
  readonly assetId: AssetId;
  readonly range: ContentRange | null;
}

/** The bytes of AssetsPort, in both directions as they come. */
export function serveAssetBytes(routes: CallRoutes, assets: AssetsPort): void {
  routes.route({
    kind: 'upload',
    path: CALLS.assets.upload,
    openTo: GATEWAYS,
    handle: async ({ head }, body) => {
      const { contentType, idempotencyKey } = argumentsOf<WireUpload>(head, 'contentType', 'idempotencyKey');
      const request = { contentType: contentType ?? undefined, idempotencyKey, body };
      return { head: await assets.upload(principalIn(head), request) };
    },
  });
  routes.route({
    kind: 'download',
    path: CALLS.assets.bytes,
    openTo: GATEWAYS,
    handle: async ({ head }) => {
      const { assetId, range } = argumentsOf<WireRange>(head, 'assetId', 'range');
      const bytes = await assets.bytes(principalIn(head), assetId, range ?? undefined);
      return bytes.ok ? { head: { ok: true }, body: bytes.value } : { head: bytes, body: null };
    },
  });
}
