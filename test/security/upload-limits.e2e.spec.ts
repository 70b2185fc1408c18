import { expectStatus, freshBytes, multipart, uploadParts } from '@heddle/testing-api';
import type { Part } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { expectRefusalWithoutTrace } from './nothing-left.js';
import { watchMemory } from './process-memory.js';

const LIMIT = 100_000;
const INVALID = { status: 422, code: 'invalid_request' };
const TOO_LARGE = { status: 413, code: 'payload_too_large' };

describe.runIf(ownServer)('limits of an upload (reliability 4.2)', () => {
  const server = useServer({ HEDDLE_UPLOAD_BYTES: String(LIMIT), HEDDLE_WORKERS: '0' });
  const form = (bytes: Uint8Array = freshBytes(64)) => ({ bytes, content_type: 'image/png', file_path: 'photo.png' });
  const post = (parts: readonly Part[], key?: string, chunked = false) => {
    const body = multipart(parts);
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < body.bytes.length; at += 16_384) yield body.bytes.subarray(at, at + 16_384);
    }
    const headers = { 'content-type': body.contentType, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return server.client.request('POST', '/api/v2/assets', { headers, body: chunked ? pieces() : body.bytes });
  };
  const withPart = (name: string, value: string): Part[] => [
    ...uploadParts(form()).filter((part) => part.name !== name),
    { name, value },
  ];

  it.each([false, true])('takes a file of exactly the limit (chunked: %s)', async (chunked) => {
    expectStatus(await post(uploadParts(form(freshBytes(LIMIT))), undefined, chunked), 201);
  });

  it.each([
    [LIMIT + 1, false],
    [LIMIT + 1, true],
    [LIMIT * 10, false],
    [LIMIT * 10, true],
    [LIMIT * 100, true],
  ])('answers 413 payload_too_large to a file of %i bytes (chunked: %s) [UP20]', async (size, chunked) => {
    await expectRefusalWithoutTrace(server, TOO_LARGE, (key) =>
      post(uploadParts(form(freshBytes(size))), key, chunked),
    );
  });

  it('takes every field once and 16 tags', async () => {
    const tags = Array.from({ length: 16 }, (_, i) => `tag-${i}`);
    expectStatus(await server.client.upload({ ...form(), tags, expires_in: 60 }), 201);
  });

  it.each([17, 160])('answers 422 to %i tags', async (count) => {
    const tags = Array.from({ length: count }, (_, i) => `tag-${i}`);
    await expectRefusalWithoutTrace(server, INVALID, (key) => server.client.upload({ ...form(), tags }, { key }));
  });

  it('answers 422 to 5,000 parts, in bounded memory', async () => {
    const parts = Array.from({ length: 5_000 }, (_, i) => ({ name: `p${i}`, value: '' }));
    const memory = await watchMemory(server.process.pid);
    await expectRefusalWithoutTrace(server, INVALID, (key) => post([...parts, ...uploadParts(form())], key));
    expect(await memory.growth()).toBeLessThan(96);
  });

  it.each([
    ['file_path', 1024, 1025],
    ['content_type', 127, 128],
    ['tags', 64, 65],
  ])('takes a %s of %i bytes and answers 422 to %i and to ten times that', async (name, fits, over) => {
    const value = (length: number): string => {
      if (name === 'content_type') return `image/${'x'.repeat(length - 6)}`;
      return name === 'file_path' ? `${'d'.repeat(200)}/`.repeat(100).slice(0, length - 1) + 'x' : 'x'.repeat(length);
    };
    expectStatus(await post(withPart(name, value(fits))), 201);
    for (const length of [over, fits * 10]) {
      await expectRefusalWithoutTrace(server, INVALID, (key) => post(withPart(name, value(length)), key));
    }
  });

  it.each([4097, 40_960, 400_000])('answers 422 to a field of %i bytes', async (length) => {
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(withPart('expected_hash', 'x'.repeat(length)), key));
  });

  it.each([9000, 90_000])('answers 422 to a part with a head of %i bytes', async (length) => {
    const rawHead = `Content-Disposition: form-data; name="tags"\r\nX-Filler: ${'f'.repeat(length)}`;
    const parts = [{ name: 'tags', value: 't', rawHead }, ...uploadParts(form())];
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(parts, key));
  });

  it('answers 422 to a part with 5,000 header lines', async () => {
    const rawHead = `Content-Disposition: form-data; name="tags"${'\r\nX: y'.repeat(5000)}`;
    const parts = [{ name: 'tags', value: 't', rawHead }, ...uploadParts(form())];
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(parts, key));
  });

  it('answers 413 or 422 to a request whose text parts alone exceed file and 1 MiB', async () => {
    const parts = Array.from({ length: 20 }, () => ({ name: 'tags', value: 'x'.repeat(100_000) }));
    const answer = await post([...parts, ...uploadParts(form())]);
    expect([413, 422]).toContain(answer.status);
  });

  it('answers 413 to a Content-Length over the limit before the body is there, and closes or drains', async () => {
    await expectRefusalWithoutTrace(server, TOO_LARGE, (key) => {
      const headers = {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '99999999999',
        'idempotency-key': key,
      };
      async function* silent(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('--x\r\n');
        // A client that sends no more: the answer must come before the body ends.
        await new Promise((wake) => setTimeout(wake, 3000).unref());
      }
      return server.client.request('POST', '/api/v2/assets', { headers, body: silent() });
    });
  });

  it('answers 422 to a body in a Content-Encoding, and never unpacks it', async () => {
    await expectRefusalWithoutTrace(server, INVALID, (key) => {
      const body = multipart(uploadParts(form()));
      const headers = { 'content-type': body.contentType, 'content-encoding': 'gzip', 'idempotency-key': key };
      return server.client.request('POST', '/api/v2/assets', { headers, body: body.bytes });
    });
  });
});
