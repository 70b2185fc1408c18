import { Readable } from 'node:stream';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { rejected, refuse, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { AssetsPort, UploadRequest } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { GatewaySettings } from '../settings.js';
import { ReceiveUploadHandler } from './receive-upload.handler.js';

const LIMIT = 100;

describe('an upload', () => {
  /** The answer, and the upload that the assets service was asked for. */
  async function receive(headers: IncomingHttpHeaders) {
    const asked: UploadRequest[] = [];
    const assets = {
      upload: (_: unknown, request: UploadRequest) => {
        asked.push(request);
        return Promise.resolve(rejected(refuse('not_found', { case: 'resource' })));
      },
    } as unknown as AssetsPort;
    const handler = new ReceiveUploadHandler(
      assets,
      new GatewaySettings({ uploadBytes: 60, uploadRequestBytes: LIMIT, stalledMs: 1_000 }),
    );
    const raw = Readable.from(['body']) as IncomingMessage;
    return { answer: await handler.handle(SELF_HOSTED_PRINCIPAL, { headers, raw }), asked, raw };
  }

  it.each([
    [{ 'content-length': String(LIMIT + 1) }, 'payload_too_large'],
    [{ 'content-encoding': 'gzip' }, 'invalid_request'],
    [{ 'idempotency-key': '' }, 'invalid_request'],
  ] as const)('with %j is refused by its headers, and its body goes nowhere', async (headers, code) => {
    const { answer, asked, raw } = await receive(headers);
    expect(answer).toMatchObject({ ok: false, rejection: { code } });
    expect(asked).toEqual([]);
    expect(raw.readableDidRead).toBe(false);
  });

  it('announced as too large is refused with the limit of its file', async () => {
    const { answer } = await receive({ 'content-length': '2048' });
    expect(answer).toMatchObject({
      rejection: {
        message:
          'The upload has 2 KiB. Its file may have at most 60 bytes, and its multipart frame 40 bytes. The setting HEDDLE_UPLOAD_BYTES raises the limit of the file.',
      },
    });
  });

  it('is streamed to the assets service, whose answer is the answer', async () => {
    const { answer, asked, raw } = await receive({
      'content-length': String(LIMIT),
      'content-type': 'multipart/form-data; boundary=b',
      'idempotency-key': 'key',
    });
    expect(answer).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
    expect(asked).toEqual([{ contentType: 'multipart/form-data; boundary=b', idempotencyKey: 'key', body: raw }]);
    expect(raw.readableDidRead).toBe(false);
  });
});
