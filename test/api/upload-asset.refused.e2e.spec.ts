import { blake3Of, freshBytes, multipart, uploadParts } from '@heddle/testing-api';
import type { Part, UploadForm } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectInvalidField, expectRefusal } from './expectations.js';
import { useServer } from './server.js';

describe('POST /api/v2/assets, refused', () => {
  const server = useServer();
  const whole = (bytes = freshBytes()): UploadForm & { bytes: Uint8Array } => ({
    bytes,
    content_type: 'image/png',
    file_path: 'photo.png',
  });
  const post = (parts: readonly Part[]) => {
    const body = multipart(parts);
    const headers = { 'content-type': body.contentType };
    return server.client.request('POST', '/api/v2/assets', { headers, body: body.bytes });
  };
  const nothingStored = async (bytes: Uint8Array): Promise<void> => {
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(404);
  };

  it.each(['file', 'content_type', 'file_path'])(
    'answers 422 where the required part %s is missing [UP05]',
    async (name) => {
      const form = whole();
      const answer = await post(uploadParts(form).filter((part) => part.name !== name));
      expectInvalidField(answer, name);
      await nothingStored(form.bytes);
    },
  );

  it('names the fields of an upload where one was misspelt, short or long', async () => {
    const form = whole(freshBytes(10_000));
    const misspelt = uploadParts(form).map((part) => (part.name === 'file' ? { ...part, name: 'image' } : part));
    const known = 'the fields are file, content_type, file_path, expected_hash, tags and expires_in.';
    expect(expectInvalidField(await post(misspelt), 'image').message).toContain(known);
    const short = uploadParts(whole()).map((part) => (part.name === 'file_path' ? { ...part, name: 'path' } : part));
    expect(expectInvalidField(await post(short), 'file_path').message).toBe(
      `The field file_path is required. "path" is not a field of an upload: ${known}`,
    );
  });

  it('judges the announced length before a byte of the file has come, and names the setting', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(200 * 1024 ** 2) };
    const answer = await server.client.request('POST', '/api/v2/assets', { headers, body: Buffer.from('--b\r\n') });
    expect(expectRefusal(answer, 413, 'payload_too_large').message).toBe(
      'The upload has 200 MiB. Its file may have at most 100 MiB, and its multipart frame 1 MiB. The setting HEDDLE_UPLOAD_BYTES raises the limit of the file.',
    );
  });

  it("does not take the file part's own type for a missing content_type [UP05]", async () => {
    const form = whole();
    const parts = uploadParts(form).filter((part) => part.name !== 'content_type');
    expectInvalidField(await post(parts.map((part) => ({ ...part, type: 'image/png' }))), 'content_type');
  });

  it('answers 409 hash_mismatch and mints nothing where expected_hash differs (Errors, hash_mismatch) [UP07]', async () => {
    const form = whole();
    const expected_hash = blake3Of(freshBytes());
    expectRefusal(await server.client.upload({ ...form, expected_hash }), 409, 'hash_mismatch');
    await nothingStored(form.bytes);
    expect((await server.client.headByHash(expected_hash)).status).toBe(404);
  });

  it.each(['md5:0123', 'blake3:abc', `sha256:${'0'.repeat(64)}`, '', `${'0'.repeat(64)}`, `blake3:${'g'.repeat(64)}`])(
    'never accepts the malformed expected_hash %j [UP08]',
    async (expected_hash) => {
      const form = whole();
      const answer = await server.client.upload({ ...form, expected_hash });
      expect([409, 422]).toContain(answer.status);
      await nothingStored(form.bytes);
    },
  );

  it.each(['59', '604801', '-1', '0', 'abc', '60.5', '6e2', '', ' 60', '0x60', '99999999999999999999'])(
    'answers 422 to expires_in %j: an integer of 60 to 604800 (Limits, expires_in) [UP11]',
    async (expires_in) => {
      const form = whole();
      expectInvalidField(await server.client.upload({ ...form, expires_in }), 'expires_in');
      await nothingStored(form.bytes);
    },
  );

  it.each([
    '../x',
    '/etc/x',
    'a/../../x',
    'C:\\x',
    'C:/x',
    'a\\b',
    'a\u0000b',
    '',
    '.',
    '..',
    'a/./b',
    'a//b',
    'a/',
    'a\u007fb',
    'a\nb',
    'x'.repeat(1025),
    `${'s'.repeat(256)}/x`,
    'e\u0301.png',
  ])('answers 422 to file_path %j (decisions, file_path rules) [UP18]', async (file_path) => {
    const form = whole();
    const parts = uploadParts(form).map((part) => (part.name === 'file_path' ? { ...part, value: file_path } : part));
    expectInvalidField(await post(parts), 'file_path');
    await nothingStored(form.bytes);
  });

  it.each([
    ['two files', (parts: Part[]) => [...parts, { name: 'file', value: 'b', filename: 'b' }], 'file'],
    ['two content types', (parts: Part[]) => [{ name: 'content_type', value: 'text/plain' }, ...parts], 'content_type'],
    ['two paths', (parts: Part[]) => [...parts, { name: 'file_path', value: 'b' }], 'file_path'],
    [
      '17 tags',
      (parts: Part[]) => [...parts, ...Array.from({ length: 17 }, (_, i) => ({ name: 'tags', value: `t${i}` }))],
      'tags',
    ],
    ['a tag of 65 bytes', (parts: Part[]) => [...parts, { name: 'tags', value: 't'.repeat(65) }], 'tags'],
    ['an empty tag', (parts: Part[]) => [...parts, { name: 'tags', value: '' }], 'tags'],
  ] as const)('answers 422 to %s (decisions, Repeated parts; reliability 4.2)', async (_, change, field) => {
    const form = whole();
    const answer = await post(change(uploadParts(form)));
    const { details } = expectRefusal(answer, 422, 'invalid_request');
    expect(JSON.stringify(details)).toContain(field);
    await nothingStored(form.bytes);
  });

  it.each(['x', 'image', 'image/', '/png', 'image/png\r\nX: y', `image/${'p'.repeat(130)}`, 'image png', ''])(
    'answers 422 to content_type %j, which is no media type',
    async (content_type) => {
      const form = whole();
      expectInvalidField(await server.client.upload({ ...form, content_type }), 'content_type');
      await nothingStored(form.bytes);
    },
  );

  it.each([
    ['a JSON body', 'application/json', '{}'],
    ['no content type', undefined, 'abc'],
    ['no boundary', 'multipart/form-data', 'abc'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'abc'],
    ['a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, `--${'b'.repeat(71)}--\r\n`],
    ['a boundary that never comes', 'multipart/form-data; boundary=never', 'abc'],
    ['another multipart type', 'multipart/mixed; boundary=x', '--x--\r\n'],
    ['an empty body', 'multipart/form-data; boundary=x', ''],
    ['an urlencoded form', 'application/x-www-form-urlencoded', 'file=a'],
  ])('answers 422, never 415, to %s (decisions, Error codes) [UP23]', async (_, type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await server.client.request('POST', '/api/v2/assets', { headers, body });
    expectRefusal(answer, 422, 'invalid_request');
  });
});
