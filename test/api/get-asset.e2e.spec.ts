import { expectStatus, jsonOf } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, expectUrlExpiry, sameBody } from './expectations.js';
import { unknownId, useServer } from './server.js';
import { surface } from './surface.js';

describe('GET /api/v2/assets/{id}', () => {
  const server = useServer();

  it('gives the same record each time, without created_new (Asset, created_new: create responses only) [AS01]', async () => {
    const { created_new, ...minted } = await server.client.uploaded({ tags: ['input'] });
    expect(created_new).toBe(true);
    const first = jsonOf<Asset>(expectStatus(await server.client.asset(minted.id), 200));
    const second = jsonOf<Asset>(expectStatus(await server.client.asset(minted.id), 200));
    expect(first).not.toHaveProperty('created_new');
    const { url, url_expires_at, ...rest } = first;
    expect(minted).toMatchObject(rest);
    expect(second).toMatchObject(rest);
    if (surface.content === 'bytes') expect(url).toBe(minted.url);
    expectUrlExpiry(url_expires_at, 'asset');
  });

  it('answers 404 to an id that nothing has (Errors, Other rules 1)', async () => {
    expectRefusal(await server.client.asset(unknownId()), 404, 'not_found');
  });

  it.each(['..%2f..', '%00', 'x'.repeat(3000), 'abc', '%F0%9F%92%A9', 'null', '0', '%2e%2e'])(
    'answers 404 to the id %s, never 500 [AS03]',
    async (id) => void expectRefusal(await server.client.asset(id), 404, 'not_found'),
  );

  it('answers 414 to an id of 10 kB (decisions, Error codes: uri_too_long) [AS03]', async () => {
    expectRefusal(await server.client.asset('x'.repeat(10_000)), 414, 'uri_too_long');
  });

  it.each(['%', '%zz', '%c3%28'])('answers 400 or 404 to the unreadable escape %s [AS03]', async (id) => {
    const answer = await server.client.asset(id);
    expect([400, 404]).toContain(answer.status);
  });

  it('answers an id in upper case as an unknown one: ids are opaque', async () => {
    const { id } = await server.client.uploaded();
    sameBody(await server.client.asset(id.toUpperCase()), await server.client.asset(unknownId().toUpperCase()));
  });

  it('answers HEAD as it would GET, without the body (decisions, 405, HEAD)', async () => {
    const { id } = await server.client.uploaded();
    const head = await server.client.request('HEAD', `/api/v2/assets/${id}`);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-type']).toMatch(/^application\/json/);
    expect((await server.client.request('HEAD', `/api/v2/assets/${unknownId()}`)).status).toBe(404);
  });
});
