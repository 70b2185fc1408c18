import { banNode, banPublisher, deleteVersion, unbanPublisher } from '@heddle/registry-domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

interface Page {
  readonly wf_nodes: readonly {
    readonly wf_node_name: string;
    readonly node_id: string;
    readonly node_version: string;
  }[];
  readonly total: number;
}

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  for (const id of ['pub', 'other']) await makePublisher(registry, id);
  for (const id of ['beta', 'Alpha', 'gamma', 'empty']) await makeNode(registry, id === 'gamma' ? 'other' : 'pub', id);
  await makeVersion(registry, 'beta', '1.0.0', { classes: ['Old'] });
  await makeVersion(registry, 'beta', '1.1.0', { classes: ['b', 'a', 'B', 'Shared'] });
  await makeVersion(registry, 'beta', '2.0.0-pre', { classes: ['Next'] });
  await makeVersion(registry, 'beta', '3.0.0', { classes: ['Flagged'], status: 'flagged' });
  await makeVersion(registry, 'Alpha', '1.0.0', { classes: ['Shared', 'One'] });
  await makeVersion(registry, 'gamma', '1.1.0', { classes: ['G'] });
  await makeVersion(registry, 'empty', '1.0.0');
});
afterAll(() => registry.close());

async function list(query: string): Promise<readonly [number, ...string[]]> {
  const { status, body } = await get(registry, `/wf-nodes${query}`);
  expect(status).toBe(200);
  const { wf_nodes, total } = body as Page;
  return [total, ...wf_nodes.map((one) => `${one.node_id}@${one.node_version} ${one.wf_node_name}`)];
}

const B = ['beta@1.1.0 B', 'beta@1.1.0 Shared', 'beta@1.1.0 a', 'beta@1.1.0 b'];
const ALL = ['Alpha@1.0.0 One', 'Alpha@1.0.0 Shared', ...B, 'gamma@1.1.0 G'];

describe('the list of node classes', () => {
  it('has those of the latest version of each node, by node id and name, in pages that fit together', async () => {
    expect(await list('')).toEqual([7, ...ALL]);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?pageSize=2&page=${page}`)));
    expect(pages.flatMap(([, ...found]) => found)).toEqual(ALL);
    expect(await list('?limit=3&page=2')).toEqual([7, ...ALL.slice(3, 6)]);
    expect(await list('?page=1000000000&pageSize=1000')).toEqual([7]);
  });

  it('is filtered by node without case, by version, by name, and by all of them', async () => {
    expect(await list('?node_id=BETA')).toEqual([4, ...B]);
    expect(await list('?node_id=beta&pageSize=1&page=3')).toEqual([4, B[2]]);
    expect(await list('?node_id=beta&node_version=v1.0')).toEqual([1, 'beta@1.0.0 Old']);
    expect(await list('?node_id=beta&node_version=3.0.0')).toEqual([1, 'beta@3.0.0 Flagged']);
    expect(await list('?node_version=1.0.0')).toEqual([3, 'Alpha@1.0.0 One', 'Alpha@1.0.0 Shared', 'beta@1.0.0 Old']);
    expect(await list('?wf_node_name=Shared')).toEqual([2, 'Alpha@1.0.0 Shared', 'beta@1.1.0 Shared']);
    expect(await list('?wf_node_name=Shared&page=2&pageSize=1')).toEqual([2, 'beta@1.1.0 Shared']);
    expect(await list('?wf_node_name=Shared&node_id=alpha')).toEqual([1, 'Alpha@1.0.0 Shared']);
    expect(await list('?wf_node_name=Old&node_version=1.0.0')).toEqual([1, 'beta@1.0.0 Old']);
    expect(await list('?wf_node_name=b')).toEqual([1, 'beta@1.1.0 b']);
    for (const none of ['wf_node_name=shared', 'node_id=nobody', 'node_version=9.9.9', 'wf_node_name=Old']) {
      expect(await list(`?${none}`), none).toEqual([0]);
    }
  });

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', 'a'],
    ['page', '1.5'],
    ['page', ''],
    ['page', '10000000000'],
    ['pageSize', '0'],
    ['pageSize', '1001'],
    ['limit', '1001'],
    ['node_version', '1.x'],
    ['node_version', '1.0.0%2Bbuild'],
  ])('refuses %s=%s by its name', async (name, value) => {
    const { status, body } = await get(registry, `/wf-nodes?${name}=${value}&other=1`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_parameter' } });
    expect((body as { message: string }).message).toContain(name);
  });

  it('names each parameter that is given twice or wrong', async () => {
    const { status, body } = await get(registry, '/wf-nodes?page=1&page=2&node_id=a&node_id=b&pageSize=x');
    expect(status).toBe(400);
    for (const name of ['page', 'node_id', 'pageSize']) expect((body as { message: string }).message).toContain(name);
  });

  it('follows what is committed: new, deleted and banned', async () => {
    const [before] = await list('');
    await makeVersion(registry, 'gamma', '1.2.0', { classes: ['G', 'H'] });
    expect((await list('?node_id=gamma')).slice(1)).toEqual(['gamma@1.2.0 G', 'gamma@1.2.0 H']);
    expect(await list('?pageSize=1')).toEqual([before + 1, ALL[0]]);
    const banned = (isBanned: boolean) =>
      registry.log.commit(async (unit) => {
        const other = (await unit.publisher('other', 'update'))!;
        const change = isBanned ? banPublisher : unbanPublisher;
        await unit.changePublisher(other, change(other.state, 'admin', 'why').events);
      });
    await banned(true);
    expect((await list(''))[0]).toBe(before - 1);
    expect(await list('?wf_node_name=H')).toEqual([0]);
    expect(await list('?node_version=1.2.0')).toEqual([0]);
    await banned(false);
    expect((await list(''))[0]).toBe(before + 1);
    await registry.log.commit(async (unit) => {
      await unit.node('gamma');
      const version = (await unit.version('gamma', '1.2.0'))!;
      const decision = deleteVersion(version.state, 'admin', '');
      if (decision.ok) await unit.changeVersion(version, decision.events);
    });
    expect((await list('?node_id=gamma')).slice(1)).toEqual(['gamma@1.1.0 G']);
    await registry.log.commit(async (unit) => {
      const node = (await unit.node('gamma'))!;
      await unit.changeNode(node, banNode(node.state, 'admin', 'why').events);
    });
    expect((await list(''))[0]).toBe(before - 1);
    expect(await list('?node_id=gamma')).toEqual([0]);
  });
});
