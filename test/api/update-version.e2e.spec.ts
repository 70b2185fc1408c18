import type { NodeVersionWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, publishers, withToken } = usePublishers();

  it('deprecates a version, which is then installed last, and deletes it for good', async () => {
    const { acme, other } = publishers;
    const node = newId('life');
    for (const version of ['1.0.0', '1.1.0']) await acme.released(node, version);
    const path = acme.path(node, '/versions/1.1.0');
    const change = { deprecated: true, deprecated_reason: 'old', status: 'NodeVersionStatusBanned' };
    expect(await withToken('PUT', path, change, other.token)).toBe('401 invalid_token');
    expect(await withToken('PUT', path.replace(acme.id, other.id), change, other.token)).toBe('403 forbidden');
    const changed = await registry.anyone.as(acme.token).send('PUT', path, change);
    expect(jsonOf<NodeVersionWire>(expectStatus(changed, 200))).toMatchObject({
      ...{ deprecated: true, deprecated_reason: 'old', status: 'NodeVersionStatusActive' },
    });
    const latest = async (): Promise<string> =>
      (await registry.anyone.json<NodeVersionWire>(`/nodes/${node}/install`)).version;
    expect(await latest()).toBe('1.0.0');
    expect(await withToken('PUT', path, { deprecated: 'yes' })).toBe('400 invalid_request');

    const { downloadUrl } = await registry.anyone.json<NodeVersionWire>(`/nodes/${node}/versions/1.0.0`);
    const { token: publishing } = await acme.newToken();
    expect(await withToken('DELETE', acme.path(node, '/versions/1.0.0'), undefined, publishing)).toBe('403 forbidden');
    expect(await withToken('DELETE', acme.path(node, '/versions/1.0.0'), undefined)).toBe('204');
    expect(await withToken('DELETE', acme.path(node, '/versions/1.0.0'), undefined)).toBe('204');
    expect(await latest()).toBe('1.1.0');
    expect(refusalOf(await registry.anyone.follow('GET', downloadUrl))).toBe('404 not_found');
    expect(refusalOf(await acme.publish(node, '1.0.0'))).toBe('409 version_exists');
    const bulk = { node_versions: [{ node_id: node, version: '1.0.0' }] };
    expect(jsonOf(await registry.anyone.send('POST', '/bulk/nodes/versions', bulk))).toMatchObject({
      node_versions: [{ status: 'not_found' }],
    });
    expect(await withToken('PUT', acme.path(node, '/versions/9.9.9'), {})).toBe('404 not_found');
  });
});
