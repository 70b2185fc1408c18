import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const PATH = '/publishers/acme/nodes/pack-a/versions';

describe('a publish', () => {
  let registry: ManagedRegistry;
  let token: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open({ versionsDay: 3, reserved: new Set(['reserved-pack']) });
    token = await registry.publisher('acme');
    await registry.publisher('other', 'key-bob');
  });
  afterAll(() => registry.close());

  const errorOf = async (sent: ReturnType<ManagedRegistry['publish']>) => {
    const { status, body } = await sent;
    return [status, body.error];
  };

  it('makes the node and its version, pending, with a URL for the bytes', async () => {
    const { status, body } = await registry.publish('acme', 'Pack-A', 'v1.0', token, { description: 'd' });
    expect(status).toBe(201);
    expect(body.node_version).toMatchObject({
      ...{ node_id: 'Pack-A', version: '1.0.0', status: 'NodeVersionStatusPending', wf_node_extract_status: 'pending' },
      ...{ downloadUrl: '', sha256: '', signature: {} },
    });
    expect(body.signedUrl).toContain('/uploads/');
    expect((await registry.call('GET', '/nodes/pack-a')).body).toMatchObject({ id: 'Pack-A', description: 'd' });
  });

  it('of an open version keeps its id, replaces the URL, and does not count as a new version', async () => {
    const [first, second] = [
      (await registry.publish('acme', 'pack-a', '1.0.0', token)).body,
      (await registry.publish('acme', 'pack-a', '1.0.0', token)).body,
    ];
    expect(second.node_version.id).toBe(first.node_version.id);
    expect(await errorOf(registry.upload(first.signedUrl as string))).toEqual([403, 'invalid_signature']);
    expect((await registry.upload(second.signedUrl as string)).status).toBe(200);
    expect(await errorOf(registry.publish('acme', 'pack-a', '1.0.0', token))).toEqual([409, 'version_exists']);
  });

  it('is checked in the order of the contract, and a refused one changes nothing', async () => {
    const sent = (body: unknown, path = PATH, bearer = '') => registry.call('POST', path, bearer, body);
    const good = { personal_access_token: token, node: {}, node_version: { version: '1.1.0' } };
    const wrong = { ...good, node_version: { version: '01.0.0' } };
    expect(await errorOf(sent([]))).toEqual([400, 'invalid_request']);
    expect(await errorOf(sent({ node_version: 7 }))).toEqual([401, 'unauthorized']);
    expect(await errorOf(sent({}, PATH, token))).toEqual([400, 'invalid_request']);
    expect(await errorOf(sent({ ...wrong, personal_access_token: 'x' }))).toEqual([401, 'invalid_token']);
    expect(await errorOf(sent(wrong, '/publishers/other/nodes/pack-a/versions'))).toEqual([401, 'invalid_token']);
    expect(await errorOf(sent(wrong))).toEqual([400, 'invalid_request']);
    expect(await errorOf(registry.publish('acme', 'Pack_A', '1.0.0', token))).toEqual([409, 'name_too_similar']);
    expect(await errorOf(registry.publish('acme', 'reserved-pack', '1.0.0', token))).toEqual([403, 'forbidden']);
    expect((await registry.call('GET', '/nodes/reserved-pack')).status).toBe(404);
    // The route of the search stands at its path.
    expect(await errorOf(registry.publish('acme', 'Search', '1.0.0', token))).toEqual([403, 'forbidden']);
  });

  it('of another publisher’s node is refused', async () => {
    const bobs = (await registry.call('POST', '/publishers/other/tokens', 'key-bob', { name: 'ci' })).body.token;
    expect(await errorOf(registry.publish('other', 'pack-a', '5.0.0', bobs as string))).toEqual([403, 'forbidden']);
  });

  it('needs a token with the action, for the node', async () => {
    const make = async (more: object) =>
      (await registry.call('POST', '/publishers/acme/tokens', 'key-ann', { name: 'ci', ...more })).body.token as string;
    for (const more of [{ actions: ['delete'] }, { nodes: ['pack-b'] }]) {
      expect(await errorOf(registry.publish('acme', 'pack-a', '1.1.0', await make(more)))).toEqual([403, 'forbidden']);
    }
    const mayDelete = await make({ actions: ['delete'] });
    const { body } = await registry.publish('acme', 'pack-a', '1.1.0', mayDelete);
    expect(body.message).toContain('create-token PUBLISHER --name NAME --actions publish');
    const limited = await make({ nodes: ['PACK-A'] });
    expect((await registry.publish('acme', 'pack-a', '1.1.0', limited)).status).toBe(201);
  });

  it('of more versions than a node may get in a day waits', async () => {
    await registry.publish('acme', 'pack-a', '1.2.0', token);
    const { status, body, retryAfter } = await registry.publish('acme', 'pack-a', '1.3.0', token);
    expect([status, body.error, Number(retryAfter) > 0]).toEqual([429, 'rate_limited', true]);
  });

  it('by two at once of one number makes one version', async () => {
    const both = await Promise.all([
      registry.publish('acme', 'pack-two', '1.0.0', token),
      registry.publish('acme', 'pack-two', '1.0.0', token),
    ]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(({ body }) => body.node_version.id)).size).toBe(1);
    const uploads = await Promise.all(both.map(({ body }) => registry.upload(body.signedUrl)));
    expect(uploads.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});
