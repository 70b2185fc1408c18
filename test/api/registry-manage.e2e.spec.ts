import type { NodeVersionWire, NodeWire, PublisherWire, TokenWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf, textOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { useRegistry } from './registry-server.js';
import { surface } from './surface.js';

const FLAGGED = { 'run.py': 'import base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n' };

describe('managing what is published', () => {
  const registry = useRegistry();
  let acme: RegistryPublisher;
  let other: RegistryPublisher;
  beforeAll(async () => {
    acme = await registry.publisher();
    other = await registry.publisher();
  });
  const ask = async (method: string, path: string, body?: unknown): Promise<string> =>
    refusalOf(await registry.account.send(method, path, body));
  const withToken = async (method: string, path: string, body: unknown, token = acme.token): Promise<string> =>
    refusalOf(await registry.anyone.as(token).send(method, path, body));

  it('makes a publisher, which is the account’s, and changes what it says of itself', async () => {
    const id = newId('p');
    const free = `/publishers/validate?username=${id}`;
    expect(await registry.anyone.json(free)).toEqual({ isAvailable: true });
    const made = await registry.account.send('POST', '/publishers', {
      id,
      name: 'Acme',
      website: 'https://acme.example',
    });
    expect(jsonOf<PublisherWire>(expectStatus(made, 201))).toMatchObject({
      ...{ id, name: 'Acme', website: 'https://acme.example', status: 'PublisherStatusActive', description: '' },
      members: [{ role: 'owner', user: { email: '' } }],
    });
    expect(await registry.anyone.json(free)).toEqual({ isAvailable: false });
    expect(await ask('POST', '/publishers', { id, name: 'Acme' })).toBe('409 publisher_exists');
    for (const body of [{ id: 'Bad_Id', name: 'x' }, { id: 'admin', name: 'x' }, { id: newId('p') }, [], '{']) {
      expect(await ask('POST', '/publishers', body), JSON.stringify(body)).toBe('400 invalid_request');
    }
    expectStatus(await registry.account.send('PUT', `/publishers/${id}`, { description: 'Filters' }), 200);
    expect(await registry.anyone.json(`/publishers/${id}`)).toMatchObject({ name: 'Acme', description: 'Filters' });
    const own = jsonOf<PublisherWire[]>(expectStatus(await registry.account.get('/users/publishers'), 200));
    expect(own.map((publisher) => publisher.id)).toContain(id);
    expect(refusalOf(await registry.anyone.get('/publishers/nobody-there'))).toBe('404 not_found');
  });

  it('asks for the account on its routes: not for a token of a publisher, and on keyed surfaces not for nothing', async () => {
    const routes = [
      ['POST', '/publishers', { id: newId('p'), name: 'x' }],
      ['GET', '/users/publishers'],
      ['GET', `/publishers/${acme.id}/tokens`],
      ['POST', acme.path('x').replace(/\/x$/, ''), { id: newId('n') }],
    ] as const;
    for (const [method, path, body] of routes) {
      expect(await withToken(method, path, body), path).toBe('401 invalid_token');
      if (surface.credential !== 'keys') continue;
      expect(refusalOf(await registry.anyone.send(method, path, body)), path).toBe('401 unauthorized');
    }
  });

  it('issues a token once, lists it without its text, and revokes it', async () => {
    const made = await acme.newToken({ name: 'CI', nodes: ['pack-a'], actions: ['publish'], expires_in: 60 });
    expect(made).toMatchObject({ name: 'CI', description: '', nodes: ['pack-a'], actions: ['publish'] });
    expect(made.token).toMatch(new RegExp(`^hdr_${made.id}_\\w+_[0-9a-f]{8}$`));
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(60_000);
    const tokens = `/publishers/${acme.id}/tokens`;
    const listed = expectStatus(await registry.account.get(tokens), 200);
    expect(textOf(listed)).not.toContain(made.token.split('_')[2]);
    const found = jsonOf<TokenWire[]>(listed).find(({ id }) => id === made.id);
    expect(found).toMatchObject({ prefix: `hdr_${made.id}`, last_used_at: '' });
    expect(listed.headers['cache-control']).toBe('no-store');
    for (const body of [{}, { name: 'x', expires_in: 59 }, { name: 'x', nodes: [] }, { name: 'x', actions: ['own'] }]) {
      expect(await ask('POST', tokens, body)).toBe('400 invalid_request');
    }
    expect(await ask('DELETE', `${tokens}/${made.id}`)).toBe('204');
    expect(await withToken('GET', '/keys', undefined, made.token)).toBe('401 invalid_token');
    expect(await ask('DELETE', `${tokens}/nothing`)).toBe('404 not_found');
  });

  it('keeps one owner', async () => {
    const members = `/publishers/${acme.id}/members`;
    const { members: before } = await registry.anyone.json<PublisherWire>(`/publishers/${acme.id}`);
    expect(await ask('DELETE', `${members}/${before[0]!.id}`)).toBe('409 last_owner');
    expect(await ask('POST', members, { account: before[0]!.user.id, role: 'member' })).toBe('409 last_owner');
    expectStatus(await registry.account.send('POST', members, { account: before[0]!.user.id, role: 'owner' }), 201);
    expect(await ask('POST', members, { account: 'nobody-there', role: 'member' })).toBe('400 invalid_request');
    expect(await ask('DELETE', `${members}/nothing`)).toBe('404 not_found');
  });

  it('makes, changes and deletes a node, whose id is never free again', async () => {
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

  it('deprecates a version, which is then installed last, and deletes it for good', async () => {
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

  it('asks for a review of a flagged version alone', async () => {
    const node = newId('review');
    await acme.released(node, '1.0.0', await nodePackage([], FLAGGED));
    await acme.released(node, '1.1.0');
    const review = (version: string) => acme.path(node, `/versions/${version}/request-review`);
    const asked = await registry.anyone.as(acme.token).send('POST', review('1.0.0'), { message: 'an example' });
    expect([asked.status, jsonOf(asked)]).toEqual([202, {}]);
    expect(await withToken('POST', review('1.1.0'), {})).toBe('409 already_set');
    expect(await withToken('POST', review('1.0.0'), {}, other.token)).toBe('401 invalid_token');
    // A flagged version is installed by its exact number.
    const installed = await registry.anyone.json(`/nodes/${node}/install?version=1.0.0`);
    expect(installed).toMatchObject({ status: 'NodeVersionStatusFlagged' });
  });

  it('rates and reports a node', async () => {
    const node = newId('rated');
    await acme.published(node, '1.0.0');
    for (const star of [2, 4]) {
      const rated = expectStatus(await registry.account.send('POST', `/nodes/${node}/reviews?star=${star}`), 200);
      expect(jsonOf<NodeWire>(rated).rating).toBe(star);
    }
    expect(await ask('POST', `/nodes/${node}/reviews?star=6`)).toBe('400 invalid_parameter');
    expect(await ask('POST', '/nodes/nothing/reviews?star=1')).toBe('404 not_found');
    expect(await ask('POST', `/nodes/${node}/reports`, { reason: 'spam', message: 'm' })).toBe('202');
    expect(await ask('POST', `/nodes/${node}/reports`, { reason: 'dislike' })).toBe('400 invalid_request');
  });

  it('claims no node that belongs to somebody', async () => {
    const node = newId('owned');
    await other.published(node, '1.0.0');
    expect(await ask('POST', acme.path(node, '/claim-my-node'))).toBe('409 already_set');
    expect(await ask('POST', acme.path('nothing', '/claim-my-node'))).toBe('404 not_found');
  });
});
