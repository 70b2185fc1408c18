import { createHash } from 'node:crypto';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf, textOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher, VersionAnswer } from '@heddle/testing-registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { useRegistry } from './registry-server.js';

const MIB = 1024 ** 2;

describe('publishing a version', () => {
  const registry = useRegistry();
  let acme: RegistryPublisher;
  let other: RegistryPublisher;
  beforeAll(async () => {
    acme = await registry.publisher();
    other = await registry.publisher();
  });

  /** A publish with a body as it is. */
  const post = async (node: string, body: unknown, bearer: string | null = null, publisher = acme): Promise<string> =>
    refusalOf(await registry.anyone.as(bearer).send('POST', publisher.path(node, '/versions'), body));
  const good = (more: object = {}): object => ({
    node: {},
    node_version: { version: '1.0.0' },
    personal_access_token: acme.token,
    ...more,
  });

  it('answers 201 with a version that waits; with its bytes it is active, and its classes are known [RG05] [RG06]', async () => {
    const node = newId('happy');
    const bytes = await nodePackage(['TestTint', 'TestBlur']);
    const ignored = { id: '7', status: 'NodeVersionStatusActive', downloadUrl: 'http://x', tags_admin: ['x'] };
    const { node_version: pending, signedUrl } = await acme.published(node, '1.0.0', {
      node: { id: node, name: 'Happy', downloads: 9, search_ranking: 9 },
      node_version: { dependencies: ['numpy>=1.26'], changelog: 'first', ...ignored },
    });
    expect(pending).toMatchObject({
      ...{ node_id: node, version: '1.0.0', status: 'NodeVersionStatusPending', wf_node_extract_status: 'pending' },
      ...{ dependencies: ['numpy>=1.26'], changelog: 'first', deprecated: false, downloadUrl: '', sha256: '' },
      ...{ size_bytes: 0, signature: {}, tags_admin: [] },
    });
    expect(pending.id).not.toBe('7');
    const stored = await acme.upload(signedUrl, bytes);
    expect([stored.status, stored.bytes.length]).toEqual([200, 0]);

    const active = await acme.inspected(node, '1.0.0');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(active).toMatchObject({
      ...{ id: pending.id, status: 'NodeVersionStatusActive', wf_node_extract_status: 'success' },
      ...{ sha256, size_bytes: bytes.length, changelog: 'first' },
    });
    expect(expectStatus(await registry.anyone.follow('GET', active.downloadUrl), 200).bytes.equals(bytes)).toBe(true);
    const bulk = { node_versions: [{ node_id: node, version: '1.0.0' }] };
    expect(jsonOf(await registry.anyone.send('POST', '/bulk/nodes/versions', bulk))).toMatchObject({
      node_versions: [{ status: 'success', node_version: { id: active.id } }],
    });
    const page = await registry.anyone.json<{ wf_nodes: { wf_node_name: string }[] }>(
      `/nodes/${node}/versions/1.0.0/wf-nodes`,
    );
    expect(page.wf_nodes.map(({ wf_node_name: name }) => name)).toEqual(['TestBlur', 'TestTint']);
    expect(await registry.anyone.json(`/nodes/${node}`)).toMatchObject({ name: 'Happy', downloads: 0 });

    // With bytes the number is taken, and a refused publish changes nothing of the node.
    const again = await acme.publish(node, '1.0.0', { node: { name: 'Other' } });
    expect(refusalOf(again)).toBe('409 version_exists');
    expect(await registry.anyone.json(`/nodes/${node}`)).toMatchObject({ name: 'Happy' });
  });

  it('again, before the bytes came, answers the same version, and voids the URL before', async () => {
    const node = newId('again');
    const first = await acme.published(node, '1.0.1');
    const second = await acme.published(node, 'v1.0.1', { node_version: { changelog: 'better' } });
    expect(second.node_version).toMatchObject({ id: first.node_version.id, version: '1.0.1', changelog: 'better' });
    const bytes = await nodePackage();
    expect(refusalOf(await acme.upload(first.signedUrl, bytes))).toBe('403 invalid_signature');
    expect(refusalOf(await acme.upload(second.signedUrl, bytes))).toBe('200');
  });

  it('twice at one instant answers one version, of which one URL works', async () => {
    const node = newId('twice');
    const both = await Promise.all([acme.published(node, '1.0.0'), acme.published(node, '1.0.0')]);
    expect(new Set(both.map(({ node_version: version }) => version.id)).size).toBe(1);
    const bytes = await nodePackage();
    const uploads = await Promise.all(both.map(async ({ signedUrl }) => await acme.upload(signedUrl, bytes)));
    expect(uploads.map(refusalOf).sort()).toEqual(['200', '403 invalid_signature']);
  });

  it('checks the bearer, the JSON, the token, the node and the fields in this order (Order of checks)', async () => {
    const mine = newId('order');
    const foreign = newId('foreign');
    await acme.published(mine, '1.0.0', { node: { repository: `https://git.example/acme/${mine}` } });
    await other.published(foreign, '1.0.0');
    const wrongFields = { node_version: { version: '1.x' } };
    expect(await post(mine, '{', 'wrong')).toBe('401 unauthorized');
    expect(await post(mine, '{')).toBe('400 invalid_request');
    expect(await post(mine, [])).toBe('400 invalid_request');
    const without = { ...wrongFields, personal_access_token: undefined };
    expect(await post(mine, good(without))).toBe('401 unauthorized');
    expect(await post(mine, good(without), acme.token)).toBe('400 invalid_request');
    expect(await post(foreign, good({ ...wrongFields, personal_access_token: 'nope' }))).toBe('401 invalid_token');
    expect(await post(foreign, good(wrongFields))).toBe('403 forbidden');
    expect(await post(foreign.toUpperCase(), good(wrongFields))).toBe('403 forbidden');
    const { token: narrow } = await acme.newToken({ nodes: ['elsewhere'] });
    const { token: weak } = await acme.newToken({ actions: ['deprecate'] });
    for (const token of [narrow, weak]) {
      expect(await post(mine, good({ ...wrongFields, personal_access_token: token }))).toBe('403 forbidden');
    }
    const alike = { node: { repository: `https://git.example/acme/${mine}` } };
    expect(await post(mine.replace('-', '_'), good({ ...wrongFields, ...alike }))).toBe('400 invalid_request');
    expect(await post(mine.replace('-', '_'), good(alike))).toBe('409 name_too_similar');
    expect(refusalOf(await acme.upload((await acme.published(mine, '1.0.0')).signedUrl, await nodePackage()))).toBe(
      '200',
    );
    await other.published(newId('taken'), '1.0.0', { node: { repository: `https://git.example/other/${mine}` } });
    const taken = { node: { repository: `http://GIT.example/other/${mine}.git/` } };
    expect(await post(mine, good(taken))).toBe('409 repository_taken');
    expect(await post(mine, good())).toBe('409 version_exists');
  });

  it('is refused for the day once a node got its versions, before anything is compared', async () => {
    const node = newId('busy');
    for (let patch = 0; patch < 20; patch += 1) await acme.published(node, `1.0.${patch}`);
    const refused = await acme.publish(node, '2.0.0');
    expect(refusalOf(refused)).toBe('429 rate_limited');
    expect(textOf(refused)).toContain('HEDDLE_REGISTRY_VERSIONS_DAY');
    // A version that is there is published again.
    await acme.published(node, '1.0.3');
  });

  it.each([['1.x'], ['1.0.0+b'], [''], [7], [undefined], ['01.0.0'], ['1.0.0rc1'], ['1.0.1234567890']])(
    'answers 400 to the version %s, and names the field',
    async (version) => {
      const node = newId('bad');
      const answer = await acme.publish(node, '1.0.0', { node_version: { version } });
      expect(refusalOf(answer)).toBe('400 invalid_request');
      expect(textOf(answer)).toContain('node_version.version');
      expect(refusalOf(await registry.anyone.get(`/nodes/${node}`))).toBe('404 not_found');
    },
  );

  it.each([['_x'], ['x-'], ['a%20b'], ['a%2Fb'], ['x'.repeat(101)], ['%3Cscript%3E']])(
    'answers 400 to the node id %s',
    async (id) => expect(await post(id, good())).toBe('400 invalid_request'),
  );

  it('reads v1.2 as 1.2.0, and answers 400 to a node.id that is not that of the path', async () => {
    const [node, another] = [newId('loose'), newId('loose')];
    expect((await acme.published(node, 'v1.2')).node_version.version).toBe('1.2.0');
    expect((await acme.published(node, '1.2.0')).node_version.version).toBe('1.2.0');
    expect(await post(another, good({ node: { id: node } }))).toBe('400 invalid_request');
    expect(refusalOf(await registry.anyone.get(`/nodes/${another}`))).toBe('404 not_found');
    expect((await acme.published(node, '1.3.0', { node: { id: node.toUpperCase() } })).node_version.node_id).toBe(node);
  });

  it('counts code points: a description of 1000 is taken, of 1001 refused, and a body over 1 MiB is 413', async () => {
    const node = newId('long');
    await acme.published(node, '1.0.0', { node: { description: '💡'.repeat(1_000) } });
    const all = { node: { description: 'x'.repeat(1_001), icon: 'javascript:1', tags: 'x' } };
    const refused = await acme.publish(node, '1.0.0', all);
    expect(refusalOf(refused)).toBe('400 invalid_request');
    for (const field of ['node.description', 'node.icon', 'node.tags']) expect(textOf(refused)).toContain(field);
    expect(await post(node, good({ more: 'x'.repeat(MIB) }))).toBe('413 payload_too_large');
  });

  it('answers unknown, foreign and revoked tokens and unknown publishers alike, and stores nothing [RG04]', async () => {
    const node = newId('token');
    const { id, token: revoked } = await acme.newToken();
    expectStatus(await registry.account.send('DELETE', `/publishers/${acme.id}/tokens/${id}`), 204);
    const bodies = [];
    for (const token of ['nope', other.token, revoked]) {
      const answer = await registry.anyone.send(
        'POST',
        acme.path(node, '/versions'),
        good({ personal_access_token: token }),
      );
      expect(refusalOf(answer)).toBe('401 invalid_token');
      bodies.push(textOf(answer));
    }
    const nobody = await registry.anyone.send('POST', `/publishers/nobody-there/nodes/${node}/versions`, good());
    expect(new Set([...bodies, textOf(nobody)]).size).toBe(1);
    expect(bodies.join()).not.toContain(revoked);
    expect(await post(node, good({ personal_access_token: undefined }))).toBe('401 unauthorized');
    expect(refusalOf(await registry.anyone.get(`/nodes/${node}`))).toBe('404 not_found');
    // A token in the target is refused before it can reach a log (Publisher's token).
    expect(refusalOf(await registry.anyone.get(`/nodes?search=${acme.token}`))).toBe('400 invalid_request');
  });

  it('needs no Authorization, and works with a good one', async () => {
    const answer = await registry.anyone.as(acme.token).send('POST', acme.path(newId('plain'), '/versions'), good());
    expect(jsonOf<VersionAnswer>(expectStatus(answer, 201)).node_version satisfies NodeVersionWire).toMatchObject({
      status: 'NodeVersionStatusPending',
    });
  });
});
