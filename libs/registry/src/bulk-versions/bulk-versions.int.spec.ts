import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import type { Got } from '../read-get.fixture.js';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  await makeNode(registry, 'pub', 'Pack');
  await makeVersion(registry, 'Pack', '1.0.0');
  await makeVersion(registry, 'Pack', '1.1.0', { status: 'flagged', reason: '[]' });
  await makeVersion(registry, 'Pack', '1.2.0', { status: 'pending' });
  await makeVersion(registry, 'Pack', '1.3.0', { status: 'banned', reason: 'bad' });
  await makeVersion(registry, 'Pack', '1.4.0', { status: 'deleted' });
});
afterAll(() => registry.close());

async function ask(body: unknown, headers: Record<string, string> = {}): Promise<Got> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await get(registry, '/bulk/nodes/versions', { method: 'POST', body: text, headers });
}

const pair = (version: unknown, node_id: unknown = 'Pack') => ({ node_id, version });

describe('a bulk question', () => {
  it('has one result an item in its order, twice where it was asked twice, and echoes what was asked', async () => {
    const asked = [pair('1.0.0'), pair('v1.0', 'PACK'), pair('9.0.0'), pair('1.0.0'), pair('x'), pair('1.0.0', '\0')];
    const { status, body, headers } = await ask({ node_versions: asked });
    const { node_versions: results } = body as { node_versions: Record<string, unknown>[] };
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(results.map(({ identifier }) => identifier)).toEqual(asked);
    expect(results.map((result) => result['status'])).toEqual([
      ...['success', 'success', 'not_found', 'success', 'not_found', 'not_found'],
    ]);
    expect(results[1]).toMatchObject({ node_version: { node_id: 'Pack', version: '1.0.0' } });
    expect(Object.keys(results[2]!)).toEqual(['identifier', 'status']);
    expect(Object.keys(results[0]!)).toEqual(['identifier', 'status', 'node_version']);
  });

  it('shows flagged, pending and banned versions, the latter two without a download, and no deleted ones', async () => {
    const asked = ['1.1.0', '1.2.0', '1.3.0', '1.4.0'].map((version) => pair(version));
    const shown = async (headers: Record<string, string>) =>
      (
        (await ask({ node_versions: asked }, headers)).body as {
          node_versions: { node_version?: { status: string; downloadUrl: string; status_reason: string } }[];
        }
      ).node_versions.map(({ node_version: one }) => one && [one.status, one.downloadUrl !== '', one.status_reason]);
    expect(await shown({})).toEqual([
      ['NodeVersionStatusFlagged', true, ''],
      ['NodeVersionStatusPending', false, ''],
      ['NodeVersionStatusBanned', false, ''],
      undefined,
    ]);
    expect((await shown({ authorization: `Bearer ${OWNER}` })).at(2)).toEqual([
      'NodeVersionStatusBanned',
      false,
      'bad',
    ]);
  });

  it('of nothing has no results', async () => {
    expect((await ask({ node_versions: [] })).body).toEqual({ node_versions: [] });
  });

  it.each([
    ['no JSON', '{', 'body'],
    ['an array', '[]', 'body'],
    ['no list', {}, 'node_versions'],
    ['101 items', { node_versions: Array.from({ length: 101 }, () => pair('1.0.0')) }, 'node_versions'],
    ['an item that is no object', { node_versions: [pair('1.0.0'), 3] }, 'node_versions[1]'],
    ['a missing key', { node_versions: [{ node_id: 'Pack' }] }, 'node_versions[0].version'],
    ['a number', { node_versions: [pair('1.0.0', 5)] }, 'node_versions[0].node_id'],
  ])('with %s is refused, and the field is named', async (_, given, field) => {
    const { status, body } = await ask(given);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((body as { message: string }).message).toContain(field);
  });

  it('of more than a MiB is refused', async () => {
    const { status, body } = await ask(JSON.stringify({ node_versions: [], x: 'x'.repeat(1_048_577) }));
    expect([status, (body as { error: string }).error]).toEqual([413, 'payload_too_large']);
  });

  it('takes 100 items', async () => {
    const { body } = await ask({ node_versions: Array.from({ length: 100 }, () => pair('1.0.0')) });
    expect((body as { node_versions: unknown[] }).node_versions).toHaveLength(100);
  });
});
