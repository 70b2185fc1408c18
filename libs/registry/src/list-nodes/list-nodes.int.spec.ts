import { banNode, deleteNode } from '@heddle/registry-domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
let between: string;
beforeAll(async () => {
  registry = await testRegistry();
  for (const id of ['pub', 'other']) await makePublisher(registry, id);
  await makeNode(registry, 'pub', 'Beta', { name: 'Zulu', supported_os: ['Linux'] });
  await makeNode(registry, 'pub', 'alpha', { name: 'yankee', supported_accelerators: ['CUDA'] });
  between = new Date(Date.now() + 1).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20)); // the nodes before and after it differ in their time
  await makeNode(registry, 'other', 'gamma', { name: 'Xray' });
  await makeNode(registry, 'other', 'banned');
  await makeNode(registry, 'other', 'deleted');
  await registry.log.commit(async (unit) => {
    const banned = (await unit.node('banned'))!;
    await unit.changeNode(banned, banNode(banned.state, 'admin', 'why').events);
    const deleted = (await unit.node('deleted'))!;
    await unit.changeNode(deleted, deleteNode(deleted.state, 'admin').events);
  });
  await makeVersion(registry, 'gamma', '1.0.0');
});
afterAll(() => registry.close());

interface Page {
  readonly nodes: readonly { readonly id: string; readonly latest_version?: { readonly version: string } }[];
  readonly total: number;
}

async function list(path: string): Promise<readonly string[]> {
  const { status, body } = await get(registry, path);
  expect(status, path).toBe(200);
  return (body as Page).nodes.map(({ id }) => id);
}

describe('the list of nodes', () => {
  it('has the active ones, each with its latest version where it has one', async () => {
    const { body } = await get(registry, '/nodes');
    expect(body).toMatchObject({ total: 3, page: 1, limit: 10, totalPages: 1 });
    const { nodes } = body as Page;
    expect(nodes.map(({ id, latest_version }) => [id, latest_version?.version])).toEqual([
      ['alpha', undefined],
      ['Beta', undefined],
      ['gamma', '1.0.0'],
    ]);
    expect(Object.keys(nodes[0]!)).not.toContain('latest_version');
  });

  it('is sorted as asked, and paged', async () => {
    await get(registry, '/nodes/gamma/install');
    expect(await list('/nodes?sort=name')).toEqual(['gamma', 'alpha', 'Beta']);
    expect(await list('/nodes?sort=id;desc')).toEqual(['gamma', 'Beta', 'alpha']);
    expect(await list('/nodes?sort=downloads%3Bdesc&limit=1')).toEqual(['gamma']);
    expect(await list('/nodes?sort=created_at')).toEqual(['Beta', 'alpha', 'gamma']);
    expect(await list('/nodes?sort=rating')).toEqual(['alpha', 'Beta', 'gamma']);
    expect((await get(registry, '/nodes?limit=2&page=2')).body).toMatchObject({ total: 3, page: 2, totalPages: 2 });
    const past = await get(registry, '/nodes?page=1000000000&limit=100');
    expect(past).toMatchObject({ status: 200, body: { nodes: [], total: 3, totalPages: 1 } });
  });

  it('is filtered by what nodes support, and by when they changed', async () => {
    expect(await list('/nodes?supported_os=linux')).toEqual(['Beta']);
    expect(await list('/nodes?supported_accelerator=Cuda')).toEqual(['alpha']);
    expect(await list(`/nodes?timestamp=${between}`)).toEqual(['gamma']);
  });

  it('of a publisher has its own', async () => {
    expect(await list('/publishers/pub/nodes')).toEqual(['alpha', 'Beta']);
    for (const unknown of ['nobody', 'Pub']) {
      expect(await get(registry, `/publishers/${unknown}/nodes`)).toMatchObject({ status: 404 });
    }
  });

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', 'a'],
    ['limit', '101'],
    ['sort', 'age'],
    ['sort', 'id;asc'],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-13-01'],
    ['supported_os', 'x'.repeat(1_001)],
  ])('refuses %s=%s by its name', async (name, value) => {
    const { status, body } = await get(registry, `/nodes?${name}=${value}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_parameter' } });
    expect((body as { message: string }).message).toContain(name);
  });
});
