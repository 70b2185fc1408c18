import { blake3Of, codeOf, expectStatus, freshBytes } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, useServer } from './server.js';

describe('POST /api/v2/assets with an Idempotency-Key', () => {
  const server = useServer();
  const form = (bytes: Uint8Array) => ({ bytes, content_type: 'image/png', file_path: 'photo.png' });

  it('answers 422 idempotency_key_reuse to the same request again, and mints nothing more (Idempotency rules 1, 2) [UP13]', async () => {
    const key = newKey();
    const bytes = freshBytes();
    const first = expectStatus(await server.client.upload(form(bytes), { key }), 201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const second = await server.client.upload(form(bytes), { key });
    expectRefusal(second, 422, 'idempotency_key_reuse');
    expect(second.headers['idempotency-replayed']).toBeUndefined();
  });

  it('answers 422 idempotency_key_reuse to other bytes with a used key and stores none of them [UP14]', async () => {
    const key = newKey();
    expectStatus(await server.client.upload(form(freshBytes()), { key }), 201);
    const others = freshBytes();
    expectRefusal(await server.client.upload(form(others), { key }), 422, 'idempotency_key_reuse');
    expect((await server.client.headByHash(blake3Of(others))).status).toBe(404);
  });

  it('lets a key be used again after a refusal: a mismatch, a missing part (Idempotency rules 3) [UP15]', async () => {
    const key = newKey();
    const mismatch = { ...form(freshBytes()), expected_hash: blake3Of(freshBytes()) };
    expectRefusal(await server.client.upload(mismatch, { key }), 409, 'hash_mismatch');
    expectRefusal(
      await server.client.upload({ bytes: freshBytes(), content_type: 'a/b' }, { key }),
      422,
      'invalid_request',
    );
    expectStatus(await server.client.upload(form(freshBytes()), { key }), 201);
  });

  it('reports a used key first, whatever else is wrong (decisions, Refusals with a used key)', async () => {
    const key = newKey();
    expectStatus(await server.client.upload(form(freshBytes()), { key }), 201);
    const mismatch = { ...form(freshBytes()), expected_hash: blake3Of(freshBytes()) };
    expectRefusal(await server.client.upload(mismatch, { key }), 422, 'idempotency_key_reuse');
  });

  it('keeps the keys of uploads and of submissions apart (decisions, Idempotency-Key)', async () => {
    const key = newKey();
    expectStatus(await server.client.upload(form(freshBytes()), { key }), 201);
    const submission = await server.client.submit({}, { key });
    expect(codeOf(submission)).toBe('invalid_workflow');
  });

  it.each([
    ['an empty key', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a space inside', 'a b'],
    ['a letter beyond ASCII', 'schl\u00fcssel'],
  ])('answers 422 invalid_request to %s (decisions, Idempotency-Key)', async (_, key) => {
    const bytes = freshBytes();
    expectRefusal(await server.client.upload(form(bytes), { key }), 422, 'invalid_request');
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(404);
  });

  it('takes a key of 255 visible ASCII characters', async () => {
    const key = newKey().padEnd(255, '!~');
    expectStatus(await server.client.upload(form(freshBytes()), { key }), 201);
  });

  it('lets exactly one of 20 parallel uploads with one key through [UP16]', async () => {
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.client.upload(form(freshBytes()), { key })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 'idempotency_key_reuse')).toHaveLength(19);
  });
});
