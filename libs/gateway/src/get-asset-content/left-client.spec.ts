import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { accepted, newUuid, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetsPort } from '@heddle/contracts-messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { GatewaySettings } from '../settings.js';
import { GetAssetContentController } from './get-asset-content.controller.js';
import { GetAssetContentHandler } from './get-asset-content.handler.js';

it('content that is opened for a client that has left is closed again', async () => {
  const source = new PassThrough();
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<Answer<PassThrough>>();
  const assets = {
    content: () => Promise.resolve(accepted({ sizeBytes: 10, filePath: 'x', hash: 'h', signedUrl: null })),
    bytes: () => {
      asked.resolve();
      return opened.promise;
    },
  } as unknown as AssetsPort;
  const raw = Object.assign(new Writable({ write: () => undefined }), { writeHead: () => raw, setHeader: () => raw });
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  const settings = new GatewaySettings({ uploadBytes: 1, uploadRequestBytes: 1, stalledMs: 1_000 });
  const request = { headers: {}, method: 'GET', id: 'r-1' } as unknown as FastifyRequest;
  const answered = new GetAssetContentController(new GetAssetContentHandler(assets), settings).get(
    newUuid() as AssetId,
    SELF_HOSTED_PRINCIPAL,
    request,
    reply,
  );
  await asked.promise;
  raw.destroy();
  await once(raw, 'close');
  opened.resolve(accepted(source));
  await answered;
  await expect.poll(() => source.destroyed).toBe(true);
});
