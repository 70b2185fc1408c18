import { createHash, createPublicKey, verify } from 'node:crypto';
import type {
  BulkItemWire,
  ChangeWire,
  NodePageWire,
  NodeVersionWire,
  NodeWire,
  WfNodeWire,
} from '@heddle/contracts-registry';
import { eventually, expectStatus, jsonOf, textOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { useRegistry } from './registry-server.js';
import { surface } from './surface.js';

/** Search and class look-up follow a change within 5 s (registry decisions, Cache), on a busy machine later. */
const FOLLOWS_MS = 20_000;

interface ClassPage {
  readonly wf_nodes: readonly WfNodeWire[];
  readonly total: number;
}

describe('reading what is published', () => {
  const registry = useRegistry();
  const node = newId('Reads');
  const word = newId('needle').replace('-', '');
  const [alpha, beta, gamma] = ['Alpha', 'Beta', 'Gamma'].map((name) => `${name}${word.slice(6, 18)}`);
  const repository = `https://git.example/reads/${node}`;
  let acme: RegistryPublisher;
  let bytes: Buffer;
  let active: NodeVersionWire;

  beforeAll(async () => {
    acme = await registry.publisher();
    bytes = await nodePackage([alpha!, beta!]);
    const text = { name: `Reading ${word}`, tags: [`tag-${word}`], repository, supported_os: ['Linux'] };
    await acme.released(node, '1.9.0', bytes, { node: text });
    active = await acme.released(node, '1.10.0', bytes, { node_version: { dependencies: ['numpy'] } });
    await acme.released(node, '2.0.0-beta.1', await nodePackage([alpha!, beta!, gamma!]));
    await acme.published(node, '3.0.0');
  });
  const anyone = <Body>(path: string): Promise<Body> => registry.anyone.json<Body>(path);

  describe('POST /bulk/nodes/versions', () => {
    const bulk = (items: unknown, body: unknown = { node_versions: items }) =>
      registry.anyone.send('POST', '/bulk/nodes/versions', body);

    it('answers one result an item, in order, with doubles, as it was asked [RG01]', async () => {
      const items = [
        { node_id: node, version: '1.10.0' },
        { node_id: node, version: '9.9.9' },
        { node_id: 'nothing', version: '1.0.0' },
        { node_id: node.toUpperCase(), version: 'v1.10' },
        { node_id: node, version: '1.10.0' },
        { node_id: node, version: '3.0.0' },
        { node_id: node, version: 'latest' },
      ];
      const answer = jsonOf<{ node_versions: BulkItemWire[] }>(expectStatus(await bulk(items), 200));
      const found = answer.node_versions;
      expect(found.map(({ identifier }) => identifier)).toEqual(items);
      expect(found.map(({ status, node_version: version }) => [status, version?.status])).toEqual([
        ['success', 'NodeVersionStatusActive'],
        ['not_found', undefined],
        ['not_found', undefined],
        ['success', 'NodeVersionStatusActive'],
        ['success', 'NodeVersionStatusActive'],
        ['success', 'NodeVersionStatusPending'],
        ['not_found', undefined],
      ]);
      expect(found[3]!.node_version).toMatchObject({ id: active.id, node_id: node, version: '1.10.0' });
      expect(Object.keys(found[0]!).sort()).toEqual(['identifier', 'node_version', 'status']);
    });

    it('takes 0 to 100 items, and answers 400 to more and to another shape [RG02]', async () => {
      expect(jsonOf(expectStatus(await bulk([]), 200))).toEqual({ node_versions: [] });
      const many = Array.from({ length: 100 }, () => ({ node_id: node, version: '1.10.0' }));
      expect(jsonOf<{ node_versions: unknown[] }>(expectStatus(await bulk(many), 200)).node_versions).toHaveLength(100);
      const wrong = [{}, { node_versions: 'x' }, { node_versions: [{ node_id: node }] }, '{', []];
      for (const body of wrong) expect(refusalOf(await bulk(null, body))).toBe('400 invalid_request');
      expect(refusalOf(await bulk([{ node_id: node, version: 1 }]))).toBe('400 invalid_request');
      expect(refusalOf(await bulk([...many, many[0]]))).toBe('400 invalid_request');
      expect(refusalOf(await registry.anyone.get('/bulk/nodes/versions'))).toBe('405 method_not_allowed');
    });
  });

  it('GET /wf-nodes lists the classes of the latest version, or of the one that is named, in pages [RG03]', async () => {
    const latest = await eventually(
      'the classes',
      async () => {
        const page = await anyone<ClassPage>(`/wf-nodes?node_id=${node}`);
        return page.total === 2 && page;
      },
      FOLLOWS_MS,
    );
    const [first, second] = latest.wf_nodes;
    expect([first!.wf_node_name, second!.wf_node_name]).toEqual([alpha, beta]);
    expect(first).toMatchObject({ node_id: node, node_version: '1.10.0', policy: 'WfNodePolicyActive', unknown: [] });
    expect(Object.keys(JSON.parse(first!.input_types) as object)).toEqual(['required']);
    expect([JSON.parse(first!.return_types), first!.output_is_list]).toEqual([
      ['IMAGE', 'MASK'],
      [false, false],
    ]);
    const page = await anyone<ClassPage>(`/wf-nodes?node_id=${node}&page=2&pageSize=1`);
    expect([page.total, page.wf_nodes]).toEqual([2, [second]]);
    expect(await anyone(`/wf-nodes?node_id=${node}&page=999`)).toMatchObject({ wf_nodes: [], total: 2 });
    expect(await anyone(`/wf-nodes?node_id=${node}&node_version=2.0.0-beta.1`)).toMatchObject({ total: 3 });
    const named = `/wf-nodes?node_id=${node}&node_version=1.9.0&wf_node_name=${beta}`;
    expect(await anyone(named)).toMatchObject({ total: 1, wf_nodes: [{ wf_node_name: beta, node_version: '1.9.0' }] });
    expect(await anyone('/wf-nodes?node_id=nothing')).toMatchObject({ wf_nodes: [], total: 0 });
    for (const query of ['page=0', 'page=-1', 'page=a', 'pageSize=0', 'pageSize=100000', 'page=1&page=2']) {
      expect(refusalOf(await registry.anyone.get(`/wf-nodes?${query}`)), query).toBe('400 invalid_parameter');
    }
  });

  it('GET /wf-nodes/{name}/node answers the node that provides a class', async () => {
    const found = await eventually(
      'the class',
      async () => {
        const answer = await registry.anyone.get(`/wf-nodes/${alpha}/node`);
        return answer.status === 200 && jsonOf<NodeWire>(answer);
      },
      FOLLOWS_MS,
    );
    expect(found.id).toBe(node);
    // Only of a prerelease, which is not the latest version.
    for (const name of [gamma, 'KSamplerXYZ']) {
      expect(refusalOf(await registry.anyone.get(`/wf-nodes/${name}/node`))).toBe('404 not_found');
    }
  });

  it('GET /nodes/{n}/versions/{v}/wf-nodes and …/{name} answer the classes of a version', async () => {
    const path = `/nodes/${node}/versions/2.0.0-beta.1/wf-nodes`;
    const page = await anyone<ClassPage & { totalNumberOfPages: number }>(`${path}?limit=2&page=2`);
    expect([page.wf_nodes.length, page.totalNumberOfPages]).toEqual([1, 2]);
    expect(await anyone(`${path}/${gamma}`)).toEqual(page.wf_nodes[0]);
    expect(refusalOf(await registry.anyone.get(`${path}/Nothing`))).toBe('404 not_found');
    expect(refusalOf(await registry.anyone.get(`/nodes/${node}/versions/9.9.9/wf-nodes`))).toBe('404 not_found');
  });

  it('GET /nodes/search finds the node by its name, tag, class and repository', async () => {
    const found = async (query: string): Promise<readonly string[]> =>
      (await anyone<NodePageWire>(`/nodes/search?${query}`)).nodes.map(({ id }) => id);
    await eventually('the search', async () => (await found(`search=${word}`)).includes(node), FOLLOWS_MS);
    const encoded = encodeURIComponent(repository);
    for (const query of [
      `search=${node.toLowerCase()}`,
      `search=TAG-${word}`,
      `wf_node_search=${beta!.toUpperCase()}`,
    ]) {
      expect(await found(query), query).toEqual([node]);
    }
    expect(await found(`repository_url_search=${encoded}`)).toEqual([node]);
    expect(await found(`search=${word}&supported_os=Windows`)).toEqual([]);
    const page = await anyone<NodePageWire>('/nodes/search?limit=1');
    expect(page).toMatchObject({ page: 1, limit: 1, totalPages: page.total });
    expect(refusalOf(await registry.anyone.get(`/nodes/search?search=${'x'.repeat(201)}`))).toBe(
      '400 invalid_parameter',
    );
  });

  it('GET /nodes and /publishers/{p}/nodes list active nodes in pages', async () => {
    const own = await anyone<NodePageWire>(`/publishers/${acme.id}/nodes`);
    expect(own).toMatchObject({ total: 1, page: 1, limit: 10, totalPages: 1, nodes: [{ id: node }] });
    const newest = await anyone<NodePageWire>('/nodes?sort=created_at;desc&limit=100');
    expect(newest.nodes.map(({ id }) => id)).toContain(node);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await anyone(`/nodes?timestamp=${later}`)).toMatchObject({ nodes: [], total: 0 });
    for (const query of ['limit=101', 'limit=0', 'sort=secret', 'timestamp=yesterday']) {
      expect(refusalOf(await registry.anyone.get(`/nodes?${query}`)), query).toBe('400 invalid_parameter');
    }
    expect(refusalOf(await registry.anyone.get('/publishers/nobody-there/nodes'))).toBe('404 not_found');
  });

  it('GET /nodes/{n} and its versions answer the latest first, whatever the case of the id', async () => {
    const found = await anyone<NodeWire>(`/nodes/${node.toUpperCase()}`);
    expect(found).toMatchObject({
      ...{ id: node, status: 'NodeStatusActive', repository, rating: 0 },
      publisher: { id: acme.id, status: 'PublisherStatusActive', members: [{ role: 'owner', user: { email: '' } }] },
      latest_version: { version: '1.10.0' },
    });
    const versions = await anyone<NodeVersionWire[]>(`/nodes/${node}/versions`);
    const open = surface.credential === 'keys' ? [] : ['3.0.0'];
    expect(versions.map(({ version }) => version)).toEqual([...open, '2.0.0-beta.1', '1.10.0', '1.9.0']);
    const statuses = 'statuses=NodeVersionStatusFlagged&statuses=NodeVersionStatusBanned';
    expect(await anyone(`/nodes/${node}/versions?${statuses}`)).toEqual([]);
    expect(await anyone(`/nodes/${node}/versions/v1.10`)).toEqual(active);
    for (const path of ['/nodes/nothing', '/nodes/nothing/versions', `/nodes/${node}/versions/9.9.9`]) {
      expect(refusalOf(await registry.anyone.get(path)), path).toBe('404 not_found');
    }
    expect(refusalOf(await registry.anyone.get(`/nodes/${node}/versions?statuses=x`))).toBe('400 invalid_parameter');
  });

  it('shows a version without bytes to its members alone', async () => {
    const path = `/nodes/${node}/versions/3.0.0`;
    expect(await registry.anyone.as(acme.token).json(path)).toMatchObject({ downloadUrl: '' });
    const stranger = surface.credential === 'keys' ? '404 not_found' : '200';
    expect(refusalOf(await registry.anyone.get(path))).toBe(stranger);
    expect(refusalOf(await registry.anyone.get(`${path}/archive`))).toBe('404 not_found');
  });

  it('GET /nodes/{n}/install answers the latest release, and counts', async () => {
    const install = (query = '', headers = {}) => registry.anyone.get(`/nodes/${node}/install${query}`, headers);
    const downloads = async (): Promise<number> => {
      const answer = await registry.anyone.send('POST', '/bulk/nodes/versions', { node_versions: [] });
      expectStatus(answer, 200);
      return (await anyone<NodeWire>(`/nodes/${node}`)).downloads;
    };
    const before = await downloads();
    const latest = expectStatus(await install(), 200);
    expect(jsonOf(latest)).toEqual(active);
    expect(latest.headers['cache-control']).toBe('no-store');
    expect(jsonOf(expectStatus(await install('?version=v2.0.0-beta.1'), 200))).toMatchObject({
      version: '2.0.0-beta.1',
    });
    await install('', { 'x-install-dry-run': '1' });
    expectStatus(await registry.anyone.request('HEAD', `/nodes/${node}/install`), 200);
    expect(refusalOf(await install('?version=9.9.9'))).toBe('404 not_found');
    expect(refusalOf(await install('?version=1.x'))).toBe('400 invalid_parameter');
    await eventually('the downloads', async () => (await downloads()) === before + 2, FOLLOWS_MS);
  });

  it('GET downloadUrl answers the bytes, whole or in part, with their digest as tag', async () => {
    const get = (headers = {}) => registry.anyone.follow('GET', active.downloadUrl, { headers });
    const whole = expectStatus(await get(), 200);
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.headers).toMatchObject({
      ...{ etag, 'content-type': 'application/zip', 'x-content-type-options': 'nosniff' },
      'cache-control': 'public, max-age=60',
    });
    const part = expectStatus(await get({ range: 'bytes=2-5' }), 206);
    expect(part.bytes.equals(bytes.subarray(2, 6))).toBe(true);
    expect(part.headers['content-range']).toBe(`bytes 2-5/${bytes.length}`);
    expectStatus(await get({ 'if-none-match': etag }), 304);
    const outside = await get({ range: `bytes=${bytes.length}-` });
    expect([refusalOf(outside), outside.headers['content-range']]).toEqual([
      '416 range_not_satisfiable',
      `bytes */${bytes.length}`,
    ]);
    const head = expectStatus(await registry.anyone.follow('HEAD', active.downloadUrl), 200);
    expect(head.headers['content-length']).toBe(String(bytes.length));
  });

  it('GET /index/{n} has a line a visible version, whose signature a key of GET /keys verifies', async () => {
    const answer = expectStatus(await registry.anyone.get(`/index/${node}`), 200);
    expect(answer.headers['content-type']).toMatch(/^application\/x-ndjson/);
    const lines = textOf(answer).trim().split('\n');
    const versions = lines.map((line) => JSON.parse(line) as NodeVersionWire);
    expect(versions.map(({ version }) => version)).toEqual(['1.9.0', '1.10.0', '2.0.0-beta.1']);
    const { keys } = await anyone<{ keys: { keyid: string; public_key: string }[] }>('/keys');
    for (const { version, sha256, signature } of versions) {
      const { keyid, sig } = signature as { keyid: string; sig: string };
      const key = createPublicKey(keys.find((one) => one.keyid === keyid)!.public_key);
      expect(verify(null, Buffer.from(`${node}@${version}:${sha256}`), key, Buffer.from(sig, 'base64'))).toBe(true);
    }
    expect(refusalOf(await registry.anyone.get('/index/nothing'))).toBe('404 not_found');
  });

  it('GET /changes follows the log: every event of the node once, in order', async () => {
    const changes: ChangeWire[] = [];
    let after = 0;
    await eventually('all changes of the node', async () => {
      for (;;) {
        const page = await anyone<{ changes: ChangeWire[]; next: number }>(`/changes?after=${after}&limit=1000`);
        changes.push(...page.changes);
        if (page.changes.length === 0) expect(page.next).toBe(after);
        after = page.next;
        if (page.changes.length === 0) break;
      }
      return changes.some(({ node_id: id, version }) => id === node && version === '3.0.0');
    });
    expect(changes.every(({ seq }, at) => at === 0 || seq > changes[at - 1]!.seq)).toBe(true);
    const types = changes.filter(({ node_id: id, version }) => id === node && version === '1.10.0');
    expect(types.map(({ type }) => type)).toEqual([
      ...['VersionPublished', 'VersionUploaded', 'VersionScanned', 'VersionExtracted'],
    ]);
    expect(refusalOf(await registry.anyone.get('/changes?after=-1'))).toBe('400 invalid_parameter');
  });

  it('answers 304 to whom has the answer, and HEAD as GET, for every cached read', async () => {
    const paths = [`/nodes/${node}`, `/nodes/${node}/versions/1.9.0`, `/index/${node}`, '/keys', '/openapi.json'];
    for (const path of paths) {
      const first = expectStatus(await registry.anyone.get(path), 200);
      const { etag } = first.headers;
      expect(etag, path).toMatch(/^"[^"]+"$/);
      expect(first.headers['cache-control'], path).toBe('public, max-age=60');
      expectStatus(await registry.anyone.get(path, { 'if-none-match': etag }), 304);
      expect((await registry.anyone.request('HEAD', path)).headers.etag, path).toBe(etag);
    }
  });

  it('answers 404 below no route, 405 to another method, and 401 to a wrong bearer on a read', async () => {
    expect(refusalOf(await registry.anyone.get('/nowhere'))).toBe('404 not_found');
    const wrong = await registry.anyone.send('DELETE', '/keys');
    expect([refusalOf(wrong), wrong.headers['allow']]).toEqual([
      '405 method_not_allowed',
      expect.stringContaining('GET'),
    ]);
    expect(refusalOf(await registry.anyone.as('wrong').get('/keys'))).toBe('401 unauthorized');
    expect(refusalOf(await registry.anyone.get('/nodes/%00'))).toBe('400 invalid_request');
  });
});
