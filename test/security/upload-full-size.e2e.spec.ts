import { expectStatus, jsonOf, multipart, uploadParts } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { expectRefusalWithoutTrace } from './nothing-left.js';
import { watchMemory } from './process-memory.js';

const LIMIT = 104_857_600;
const PIECE = Buffer.alloc(1 << 20, 'heddle');
/** Long, because the disk may be busy. */
const WITHIN_MS = 240_000;

describe.runIf(ownServer)('an upload of the size that is set by default', { timeout: WITHIN_MS }, () => {
  const server = useServer({ HEDDLE_WORKERS: '0' });
  const post = (fileBytes: number, key?: string) => {
    const frame = multipart(uploadParts({ bytes: Buffer.from('@'), content_type: 'a/b', file_path: 'large.bin' }));
    const at = frame.bytes.indexOf('\r\n\r\n@') + 4;
    async function* body(): AsyncGenerator<Uint8Array> {
      yield frame.bytes.subarray(0, at);
      for (let left = fileBytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, Math.min(left, PIECE.length));
      yield frame.bytes.subarray(at + 1);
    }
    const headers = {
      'content-type': frame.contentType,
      'content-length': frame.bytes.length - 1 + fileBytes,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    return server.client.request('POST', '/api/v2/assets', { headers, body: body() });
  };

  it('is stored whole at 104,857,600 bytes, in memory far below its size (Limits, Single-request upload) [UP22]', async () => {
    await server.client.uploaded();
    const memory = await watchMemory(server.process.pid);
    const asset = jsonOf<Asset>(expectStatus(await post(LIMIT), 201));
    expect(await memory.growth()).toBeLessThan(96);
    expect(asset.size_bytes).toBe(LIMIT);
    const tail = await server.client.content(asset.id, { range: 'bytes=-6' });
    expect(tail.bytes).toHaveLength(6);
  });

  it('answers 413 payload_too_large to one byte more and leaves nothing behind [UP20]', async () => {
    const memory = await watchMemory(server.process.pid);
    await expectRefusalWithoutTrace(server, { status: 413, code: 'payload_too_large' }, (key) => post(LIMIT + 1, key));
    expect(await memory.growth()).toBeLessThan(96);
  });
});
