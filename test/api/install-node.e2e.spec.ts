import type { NodeWire } from '@heddle/contracts-registry';
import { eventually, expectStatus, jsonOf } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { FOLLOWS_MS, usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, published, anyone } = usePublishedNode();

  it('GET /nodes/{n}/install answers the latest release, and counts', async () => {
    const { active } = published;
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
});
