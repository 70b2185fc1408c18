import { banNode, unbanNode } from '@heddle/registry-domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

const MEMBER = { headers: { authorization: `Bearer ${OWNER}` } };

interface Version {
  readonly version: string;
  readonly sha256: string;
  readonly status_reason: string;
  readonly signature: { readonly keyid: string; readonly sig: string };
}

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  for (const id of ['Pack', 'bare']) await makeNode(registry, 'pub', id);
  await makeVersion(registry, 'Pack', '1.10.0');
  await makeVersion(registry, 'Pack', '1.9.0', { deprecated: true });
  await makeVersion(registry, 'Pack', '1.11.0', { status: 'pending' });
  await makeVersion(registry, 'Pack', '2.0.0-rc.1');
  await makeVersion(registry, 'Pack', '2.0.0', { status: 'flagged', reason: '["found"]' });
  await makeVersion(registry, 'Pack', '3.0.0', { status: 'banned', reason: 'bad' });
  await makeVersion(registry, 'Pack', '4.0.0', { status: 'deleted' });
});
afterAll(() => registry.close());

const list = async (query = '', init = {}): Promise<readonly string[]> => {
  const { status, body } = await get(registry, `/nodes/pack/versions${query}`, init);
  expect(status).toBe(200);
  return (body as Version[]).map(({ version }) => version);
};

describe('the versions of a node', () => {
  it('are those with bytes, newest first; members see the ones that wait, and others when they ask', async () => {
    const listed = ['2.0.0', '2.0.0-rc.1', '1.10.0', '1.9.0'];
    expect(await list()).toEqual(listed);
    expect(await list('', MEMBER)).toEqual([...listed.slice(0, 2), '1.11.0', ...listed.slice(2)]);
    const asked =
      '?statuses=NodeVersionStatusFlagged&statuses=NodeVersionStatusBanned&statuses=NodeVersionStatusPending';
    expect(await list(asked)).toEqual(['2.0.0']);
    expect(await list(asked, MEMBER)).toEqual(['3.0.0', '2.0.0', '1.11.0']);
  });

  it('give their reasons to members, and to others who ask', async () => {
    const reason = async (query: string, init = {}) =>
      ((await get(registry, `/nodes/pack/versions${query}`, init)).body as Version[])[0]!.status_reason;
    expect([await reason(''), await reason('?include_status_reason=true'), await reason('', MEMBER)]).toEqual([
      '',
      '["found"]',
      '["found"]',
    ]);
  });

  it('are all of them, in the index too, however many there are, and deleted ones do not count', async () => {
    await makeNode(registry, 'pub', 'crowd');
    await makeVersion(registry, 'crowd', '1.0.0');
    await registry.database.owner.query(
      `insert into registry.version (version_id, node_key, version, sort_key, status, is_prerelease, is_deprecated, blob, waits,
         classes, state, created_at, published_at)
       select gen_random_uuid(), node_key, '2.' || at || '.0', '000000002' || lpad(at::text, 9, '0') || '000000000~',
         case when at > 1200 then 'deleted' else 'active' end, false, false, gen_random_uuid(), false, 0,
         (state::jsonb || jsonb_build_object('version', '2.' || at || '.0',
           'status', case when at > 1200 then 'deleted' else 'active' end))::json, created_at, published_at
       from registry.version, generate_series(1, 1210) at where node_key = 'crowd'`,
    );
    const { body: listed } = await get(registry, '/nodes/crowd/versions');
    const versions = (listed as Version[]).map(({ version }) => version);
    expect(new Set(versions).size).toBe(1_201);
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([1_201, '2.1200.0', '1.0.0']);
    const lines = ((await get(registry, '/index/crowd')).body as string).trimEnd().split('\n');
    expect([lines.length, (JSON.parse(lines[0]!) as Version).version]).toEqual([1_201, '1.0.0']);
  });

  it.each([
    ['/nodes/pack/versions?statuses=active', 400],
    ['/nodes/pack/versions?include_status_reason=yes', 400],
    ['/nodes/nobody/versions', 404],
    ['/nodes/%00/versions', 400],
    ['/nodes/pack/versions/%00', 400],
    ['/nodes/pack/versions/1.11.0', 404],
    ['/nodes/pack/versions/4.0.0', 404],
    ['/nodes/pack/versions/3.0.0', 403],
    ['/nodes/%E2%84%AAack', 404],
    ['/index/nobody', 404],
  ])('%s answers %i', async (path, status) => expect((await get(registry, path)).status).toBe(status));
});

describe('an installation', () => {
  const install = (query = '', init: RequestInit = {}) => get(registry, `/nodes/PACK/install${query}`, init);
  const downloads = async () => ((await get(registry, '/nodes/pack')).body as { downloads: number }).downloads;

  it('gets the latest active version: not deprecated, then a release, then by number; or the one it names', async () => {
    expect((await install()).body).toMatchObject({ version: '1.10.0', node_id: 'Pack' });
    expect((await install()).headers.get('cache-control')).toBe('no-store');
    expect((await install('?version=v2.0.0')).body).toMatchObject({ status: 'NodeVersionStatusFlagged' });
    expect((await install('?version=2.0.0-rc.1')).body).toMatchObject({ version: '2.0.0-rc.1' });
  });

  it('counts, but for HEAD and dry runs, however many come at once', async () => {
    const before = await downloads();
    await Promise.all(Array.from({ length: 50 }, () => install()));
    await install('', { method: 'HEAD' });
    await install('', { headers: { 'x-install-dry-run': '1' } });
    await install('?version=9.0.0');
    expect(await downloads()).toBe(before + 50);
  });

  it.each([
    ['/nodes/pack/install?version=1.x', 400, 'invalid_parameter'],
    ['/nodes/pack/install?version=1.0.0&version=1.0.0', 400, 'invalid_parameter'],
    ['/nodes/pack/install?version=9.0.0', 404, 'not_found'],
    ['/nodes/pack/install?version=1.11.0', 404, 'not_found'],
    ['/nodes/pack/install?version=4.0.0', 404, 'not_found'],
    ['/nodes/pack/install?version=3.0.0', 403, 'node_banned'],
    ['/nodes/bare/install', 404, 'not_found'],
    ['/nodes/nobody/install', 404, 'not_found'],
    ['/nodes/%00/install', 400, 'invalid_request'],
  ])('%s answers %i %s', async (path, status, error) =>
    expect(await get(registry, path)).toMatchObject({ status, body: { error } }),
  );
});

describe('a read', () => {
  it('has a strong tag, answers 304 to whom has it, and is for caches by who asks', async () => {
    for (const path of [
      '/nodes',
      '/nodes/pack',
      '/nodes/pack/versions',
      '/index/pack',
      '/wf-nodes',
      '/keys',
      '/changes',
    ]) {
      const first = await get(registry, path);
      const tag = first.headers.get('etag')!;
      expect(tag, path).toMatch(/^"[\w-]+"$/);
      expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
        'public, max-age=60',
        'authorization',
      ]);
      for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await get(registry, path, { headers: { 'if-none-match': value } });
        expect([again.status, again.body, again.headers.get('etag')], path).toEqual([304, '', tag]);
        const ofBody = ['content-length', 'content-type'].map((name) => again.headers.get(name));
        expect(ofBody, path).toEqual([null, null]);
      }
      expect((await get(registry, path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
      const head = await get(registry, path, { method: 'HEAD' });
      expect([head.status, head.body, head.headers.get('etag')], path).toEqual([200, '', tag]);
    }
  });

  it('answers a change of this process at once', async () => {
    const ban = (isBanned: boolean) =>
      registry.log.commit(async (unit) => {
        const node = (await unit.node('pack'))!;
        await unit.changeNode(node, (isBanned ? banNode : unbanNode)(node.state, 'admin', 'why').events);
      });
    expect((await get(registry, '/nodes/pack')).status).toBe(200);
    await ban(true);
    for (const path of ['/nodes/pack', '/nodes/pack/versions', '/nodes/pack/install', '/index/pack']) {
      expect(await get(registry, path), path).toMatchObject({ status: 403, body: { error: 'node_banned' } });
    }
    await ban(false);
    expect((await get(registry, '/nodes/pack')).status).toBe(200);
  });
});
