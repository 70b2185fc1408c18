import type { NodeVersionWire, PublisherWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import { useRegistry } from './registry-server.js';
import { topology } from './server-under-test.js';
import { ownServer } from './server.js';
import { surface } from './surface.js';

/** The admin API is found by its data folder; `registry-in-cluster` asks that of a cluster. */
describe.runIf(ownServer && topology === 'standalone')('what an operator decides', () => {
  const registry = useRegistry({}, { alone: true });
  let acme: RegistryPublisher;
  let node: string;
  beforeAll(async () => {
    acme = await registry.publisher();
    node = newId('banned');
    await acme.released(node, '1.0.0', await nodePackage(['Banned']));
  });
  const admin = async (path: string, body: object = { reason: 'malware' }): Promise<unknown> =>
    await adminOf(registry.server.process.dataDir)('POST', `registry/${path}`, body);
  const shown = async (path: string): Promise<string> => refusalOf(await registry.anyone.get(path));
  const bulk = async (): Promise<NodeVersionWire> => {
    const body = { node_versions: [{ node_id: node, version: '1.0.0' }] };
    const answer = expectStatus(await registry.anyone.send('POST', '/bulk/nodes/versions', body), 200);
    return jsonOf<{ node_versions: { node_version: NodeVersionWire }[] }>(answer).node_versions[0]!.node_version;
  };

  it('a banned node is 403 everywhere, its open uploads too, and an unban restores it', async () => {
    const { signedUrl } = await acme.published(node, '2.0.0');
    const { downloadUrl } = await bulk();
    await admin(`nodes/${node}/ban`);
    for (const path of [`/nodes/${node}`, `/nodes/${node}/versions`, `/nodes/${node}/versions/1.0.0`]) {
      expect(await shown(path), path).toBe('403 node_banned');
    }
    expect(await shown(`/nodes/${node}/install`)).toBe('403 node_banned');
    expect(await shown(`/index/${node}`)).toBe('403 node_banned');
    expect(refusalOf(await registry.anyone.follow('GET', downloadUrl))).toBe('403 node_banned');
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage()))).toBe('403 node_banned');
    expect(refusalOf(await acme.publish(node, '3.0.0'))).toBe('403 node_banned');
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusBanned', downloadUrl: '' });
    expect(await registry.anyone.json(`/publishers/${acme.id}/nodes`)).toMatchObject({ total: 0 });

    await admin(`nodes/${node}/unban`);
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusActive', downloadUrl });
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage()))).toBe('200');
  });

  it('a banned publisher takes all that it has along, and is itself still shown', async () => {
    await admin(`publishers/${acme.id}/ban`);
    expect(await shown(`/nodes/${node}`)).toBe('403 publisher_banned');
    expect(refusalOf(await acme.publish(node, '3.0.0', { node_version: { version: '1.x' } }))).toBe(
      '403 publisher_banned',
    );
    expect(await registry.anyone.json(`/publishers/${acme.id}`)).toMatchObject({ status: 'PublisherStatusBanned' });
    const own = `/publishers/${acme.id}`;
    for (const [method, path, body] of [
      ['PUT', own, { description: 'd' }],
      ['POST', `${own}/tokens`, { name: 'x' }],
      ['POST', `${own}/members`, { account: 'nobody-there', role: 'member' }],
      ['DELETE', `${own}/members/nothing`],
      ['POST', `${own}/nodes`, { id: newId('n') }],
      ['PUT', acme.path(node), { description: 'd' }],
      ['DELETE', acme.path(node)],
      ['PUT', acme.path(node, '/versions/1.0.0'), {}],
      ['DELETE', acme.path(node, '/versions/1.0.0')],
      ['POST', acme.path(node, '/versions/1.0.0/request-review'), {}],
      ['POST', acme.path(node, '/claim-my-node'), {}],
      ['POST', `/nodes/${node}/reviews?star=1`],
      ['POST', `/nodes/${node}/reports`, { reason: 'spam' }],
    ] as const) {
      const answer = refusalOf(await registry.account.send(method, path, body));
      expect(answer, `${method} ${path}`).toBe('403 publisher_banned');
    }
    await admin(`publishers/${acme.id}/unban`);
    expect(await shown(`/nodes/${node}`)).toBe('200');
  });

  it('a banned version has no bytes and is 403, until it is restored', async () => {
    const review = (status: string) => admin(`nodes/${node}/versions/1.0.0/review`, { status, reason: 'why' });
    await review('banned');
    expect(await shown(`/nodes/${node}/versions/1.0.0`)).toBe('403 node_banned');
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusBanned', downloadUrl: '' });
    await review('active');
    expect(await shown(`/nodes/${node}/versions/1.0.0`)).toBe('200');
  });

  it('takes the classes of an extractor once, and ranks a node', async () => {
    const classes = `nodes/${node}/versions/1.0.0/wf-nodes`;
    const found = { success: true, nodes: { Found: { input_types: '{}', return_types: '["IMAGE"]' } } };
    await admin(classes, found);
    await expect(admin(classes, found)).rejects.toThrow('already_set');
    const page = await registry.anyone.json<{ wf_nodes: unknown[] }>(`/nodes/${node}/versions/1.0.0/wf-nodes`);
    expect(page.wf_nodes).toMatchObject([{ wf_node_name: 'Found', return_types: '["IMAGE"]' }]);
    await admin(`nodes/${node}/set`, { search_ranking: 7, preempt: ['Found'], tags: ['verified'] });
    expect(await registry.anyone.json(`/nodes/${node}`)).toMatchObject({
      ...{ search_ranking: 7, preempted_wf_node_names: ['Found'], tags_admin: ['verified'] },
    });
  });

  it('releases a node, which another publisher may then claim by a file in its repository', async () => {
    const [free, other] = [newId('free'), await registry.publisher()];
    const repository = `https://github.com/${free}/nodes`;
    await acme.released(free, '1.0.0', await nodePackage(), { node: { repository } });
    await admin(`nodes/${free}/release`, {});
    expect(await registry.anyone.json(`/nodes/${free}`)).toMatchObject({ publisher: { id: 'unclaimed' } });
    expect(refusalOf(await acme.publish(free, '1.1.0'))).toBe('403 forbidden');
    const claimed = await registry.account.send('POST', other.path(free, '/claim-my-node'));
    expect(jsonOf(expectStatus(claimed, 200))).toEqual({
      ...{ challenge: expect.stringMatching(/^heddle-claim-/), path: '.heddle-claim' },
    });
  });

  it.runIf(surface.credential === 'keys')('lets an owner add an account as member, and remove it', async () => {
    const { key } = (await adminOf(registry.server.process.dataDir)('POST', 'keys', { account: 'bob' })) as {
      key: string;
    };
    const members = `/publishers/${acme.id}/members`;
    const bob = registry.account.as(key);
    const change = acme.path(node, '/versions/1.0.0');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'b' }))).toBe('403 forbidden');
    const added = await registry.account.send('POST', members, { account: 'bob', role: 'member' });
    const found = jsonOf<PublisherWire>(expectStatus(added, 201)).members.find(({ role }) => role === 'member');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'b' }))).toBe('200');
    expect(refusalOf(await bob.send('POST', members, { account: 'bob', role: 'owner' }))).toBe('403 forbidden');
    expect(refusalOf(await registry.account.send('DELETE', `${members}/${found!.id}`))).toBe('204');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'c' }))).toBe('403 forbidden');
  });
});
