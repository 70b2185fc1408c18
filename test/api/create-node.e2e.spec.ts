import type { NodeWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, publishers, ask } = usePublishers();

  it('makes, changes and deletes a node, whose id is never free again', async () => {
    const { acme, other } = publishers;
    const [id, repository] = [newId('node'), `https://git.example/${newId('repo')}`];
    const nodes = `/publishers/${acme.id}/nodes`;
    expectStatus(await registry.account.send('POST', nodes, { id, repository, tags: ['t'] }), 201);
    expect(await ask('POST', nodes, { id: id.toUpperCase() })).toBe('409 node_exists');
    expect(await ask('POST', nodes, { id: id.replace('-', '_') })).toBe('409 name_too_similar');
    expect(await ask('POST', nodes, { id: newId('node'), repository })).toBe('409 repository_taken');
    expect(await ask('POST', nodes, { id: '_x' })).toBe('400 invalid_request');
    const changed = await registry.account.send('PUT', `${nodes}/${id}`, { description: 'd' });
    expect(jsonOf<NodeWire>(expectStatus(changed, 200))).toMatchObject({ id, description: 'd', tags: ['t'] });
    expect(await ask('PUT', other.path(id), { description: 'd' })).toBe('403 forbidden');
    expect(await ask('PUT', acme.path('nothing'), {})).toBe('404 not_found');
    expect(await ask('DELETE', `${nodes}/${id}`)).toBe('204');
    expect(await ask('DELETE', `${nodes}/${id}`)).toBe('204');
    expect(refusalOf(await registry.anyone.get(`/nodes/${id}`))).toBe('404 not_found');
    expect(refusalOf(await acme.publish(id, '1.0.0'))).toBe('409 node_exists');
    expect(refusalOf(await other.publish(id, '1.0.0'))).toBe('403 forbidden');
  });
});
