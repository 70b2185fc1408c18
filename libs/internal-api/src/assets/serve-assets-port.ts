import type {
  AssetId,
  AssetsPort,
  ContentRange,
  JobId,
  MintRequest,
  UploadRequest,
  WantedAssets,
} from '@heddle/contracts-messages';
import type { CallRoutes, IncomingCall } from '@heddle/platform-service-calls';
import { argumentsOf, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS } from '../internal-calls.js';

type WireUpload = Omit<UploadRequest, 'contentType' | 'body'> & { readonly contentType: string | null };

/** A hold of all assets that a workflow of the largest size can name. */
const HOLD_BYTES = 16 * 1024 * 1024;

/** The serving half of AssetsPort. */
export function serveAssetsPort(routes: CallRoutes, assets: AssetsPort): void {
  const call = (path: string, handle: (call: IncomingCall) => Promise<unknown>, bodyBytes?: number): void => {
    const answer = async (incoming: IncomingCall) => ({ head: (await handle(incoming)) ?? null });
    routes.route({ kind: 'plain', path, openTo: GATEWAYS, handle: answer, bodyBytes });
  };
  const paths = CALLS.assets;
  call(paths.mintFromHash, ({ head }) => {
    const { request } = argumentsOf<{ request: MintRequest }>(head, 'request');
    return assets.mintFromHash(principalIn(head), request);
  });
  call(paths.canMint, ({ head }) => {
    const { hash } = argumentsOf<{ hash: string }>(head, 'hash');
    return assets.canMint(principalIn(head), hash);
  });
  call(paths.get, ({ head }) => assets.get(principalIn(head), assetIn(head)));
  call(paths.delete, ({ head }) => assets.delete(principalIn(head), assetIn(head)));
  call(paths.content, ({ head }) => assets.content(principalIn(head), assetIn(head)));
  const missing = ({ head }: IncomingCall): Promise<readonly AssetId[]> => {
    const { assetIds } = argumentsOf<{ assetIds: readonly AssetId[] }>(head, 'assetIds');
    return assets.missing(principalIn(head), assetIds);
  };
  call(paths.missing, missing, HOLD_BYTES);
  const hold = ({ head }: IncomingCall): Promise<unknown> => {
    const { jobId, wanted } = argumentsOf<{ jobId: JobId; wanted: WantedAssets }>(head, 'jobId', 'wanted');
    return assets.hold(principalIn(head), jobId, wanted);
  };
  call(paths.hold, hold, HOLD_BYTES);
  call(paths.releaseHolds, ({ head }) => assets.releaseHolds(argumentsOf<{ jobId: JobId }>(head, 'jobId').jobId));
  serveBytes(routes, assets);
}

/** Bodies in both directions, as they come. */
function serveBytes(routes: CallRoutes, assets: AssetsPort): void {
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
      const { range } = argumentsOf<{ range: ContentRange | null }>(head, 'range');
      const bytes = await assets.bytes(principalIn(head), assetIn(head), range ?? undefined);
      return bytes.ok ? { head: { ok: true }, body: bytes.value } : { head: bytes, body: null };
    },
  });
}

function assetIn(head: unknown): AssetId {
  return argumentsOf<{ assetId: AssetId }>(head, 'assetId').assetId;
}
