import type { Readable } from 'node:stream';
import type { Answer, AssetsPort, ContentRange } from '@heddle/contracts-messages';
import type { ByteRoute } from '@heddle/platform-service-calls/serve';
import { fieldsIn, idIn, numberIn, optionalTextIn, principalIn } from '../encode-values/json-head.js';
import type { JsonFields } from '../encode-values/json-head.js';
import { GATEWAYS } from '../internal-calls.js';
import { ASSET_BYTES } from './byte-paths.js';

/** Serves the bytes of AssetsPort over HTTP, streamed in both directions. */
export function assetBytes(assets: AssetsPort): readonly ByteRoute[] {
  return [
    {
      kind: 'upload',
      path: ASSET_BYTES.upload,
      openTo: GATEWAYS,
      handle: async (head, body) => {
        const fields = fieldsIn(head);
        const contentType = optionalTextIn(fields, 'contentType') ?? undefined;
        const idempotencyKey = optionalTextIn(fields, 'idempotencyKey');
        return await assets.upload(principalIn(fields), { contentType, idempotencyKey, body });
      },
    },
    {
      kind: 'download',
      path: ASSET_BYTES.read,
      openTo: GATEWAYS,
      handle: async (head) => {
        const fields = fieldsIn(head);
        return opened(await assets.bytes(principalIn(fields), idIn(fields, 'assetId'), rangeIn(fields)));
      },
    },
    {
      kind: 'download',
      path: ASSET_BYTES.readStored,
      openTo: GATEWAYS,
      handle: async (head) => {
        const fields = fieldsIn(head);
        return opened(await assets.storedBytes(idIn(fields, 'objectKey'), rangeIn(fields)));
      },
    },
  ];
}

function opened(bytes: Answer<Readable>): { head: unknown; body: Readable | null } {
  return bytes.ok ? { head: { ok: true }, body: bytes.value } : { head: bytes, body: null };
}

function rangeIn(fields: JsonFields): ContentRange | undefined {
  if (fields['range'] === null) return undefined;
  const range = fieldsIn(fields['range'], 'range of the call');
  return { start: numberIn(range, 'start'), end: numberIn(range, 'end') };
}
