import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node and its versions', () => {
  let registry: ManagedRegistry;
  let token: string;
  let foreign: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ reserved: new Set(['core-pack']), newNodesDay: 8 });
    token = await registry.publisher('acme', ANN, { actions: ['publish', 'deprecate', 'delete'] });
    foreign = await registry.publisher('other', BOB);
    await registry.active('acme', 'pack-v', '1.0.0', token);
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };
  const make = (body: unknown, key = ANN, publisher = 'acme') =>
    registry.call('POST', `/publishers/${publisher}/nodes`, key, body);

  it('is made by an owner, once for ever, and never to look like another one', async () => {
    const repository = 'https://github.com/acme/pack-a.git';
    expect(await expected(make({ id: 'Pack-A', repository }), 201)).toMatchObject({ id: 'Pack-A', name: 'Pack-A' });
    await expected(make({ id: 'pack-a' }), 409, 'node_exists');
    await expected(make({ id: 'pack-a' }, BOB, 'other'), 409, 'node_exists');
    await expected(make({ id: 'pack_A' }), 409, 'name_too_similar');
    await expected(make({ id: 'x1', repository: 'http://github.com/ACME/pack-a/' }), 409, 'repository_taken');
    await expected(make({ id: 'Core-Pack' }), 403, 'forbidden');
    await expected(registry.publish('acme', 'core-pack', '1.0.0', token), 403, 'forbidden');
    for (const body of [
      {},
      { id: '_x' },
      { id: 'x-' },
      { id: 'a'.repeat(101) },
      { id: 7 },
      { id: 'y', icon: 'javascript:1' },
    ]) {
      await expected(make(body), 400, 'invalid_request');
    }
    await expected(make({ id: 'y' }, ''), 401, 'unauthorized');
    await expected(make({ id: 'y' }, token), 401, 'invalid_token');
    await expected(make({ id: 'y' }, BOB), 403, 'forbidden');
  });

  it('is one of two that are made at once', async () => {
    const made = await Promise.all([make({ id: 'pack-r' }), make({ id: 'PACK_R' }), make({ id: 'Pack-R' })]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const at = { repository: 'https://gitlab.com/acme/once' };
    const named = await Promise.all([make({ id: 'one-a', ...at }), make({ id: 'one-b', ...at })]);
    expect(named.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('of one number is published by two at once with one id', async () => {
    const both = await Promise.all([
      registry.publish('acme', 'pack-two', '1.0.0', token),
      registry.publish('acme', 'pack-two', '1.0.0', token),
    ]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(({ body }) => body.node_version.id)).size).toBe(1);
    const uploads = await Promise.all(both.map(({ body }) => registry.upload(body.signedUrl)));
    expect(uploads.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('of a publisher with as many new nodes as a day may have waits', async () => {
    const refused: number[] = [];
    for (const id of ['more-q', 'more-w', 'more-e', 'more-z']) refused.push((await make({ id })).status);
    expect(refused).toContain(429);
    await expected(make({ id: 'more-u' }), 429, 'rate_limited');
  });

  it('is changed in the fields that are given', async () => {
    const put = (body: unknown, key = ANN, node = 'pack-v') =>
      registry.call('PUT', `/publishers/acme/nodes/${node}`, key, body);
    expect((await put({ description: 'd', tags: ['t'] })).body).toMatchObject({
      name: 'pack-v',
      description: 'd',
      tags: ['t'],
    });
    expect((await put({ id: 'PACK-V', tags: [] })).body).toMatchObject({ description: 'd', tags: [] });
    await expected(put({ id: 'pack-w' }), 400, 'invalid_request');
    await expected(put({ repository: 'https://github.com/acme/pack-a' }), 409, 'repository_taken');
    await expected(put({}, BOB), 403, 'forbidden');
    await expected(put({}, ANN, 'nothing'), 404, 'not_found');
    await expected(registry.call('PUT', '/publishers/other/nodes/pack-v', BOB, {}), 403, 'forbidden');
  });

  it('version is deprecated and deleted by its publisher, and by tokens with the action', async () => {
    const path = '/publishers/acme/nodes/pack-v/versions/1.0.0';
    const put = (bearer: string, body: unknown, at = path) => registry.call('PUT', at, bearer, body);
    const { token: weak } = (
      await registry.call('POST', '/publishers/acme/tokens', ANN, { name: 'w', actions: ['publish'] })
    ).body;
    const { token: narrow } = (
      await registry.call('POST', '/publishers/acme/tokens', ANN, { name: 'n', nodes: ['pack-a'] })
    ).body;

    const changed = await expected(put(token, { deprecated: true, deprecated_reason: 'old', status: 'x' }), 200);
    expect(changed).toMatchObject({ deprecated: true, deprecated_reason: 'old', status: 'NodeVersionStatusActive' });
    expect(await expected(put(ANN, { changelog: 'c', deprecated: false }), 200)).toMatchObject({
      changelog: 'c',
      deprecated: false,
      deprecated_reason: '',
    });
    await expected(put(ANN, { deprecated: 'yes' }), 400, 'invalid_request');
    await expected(put(weak, {}), 403, 'forbidden');
    await expected(put(narrow, {}), 403, 'forbidden');
    await expected(put(foreign, {}), 401, 'invalid_token');
    await expected(put(BOB, {}), 403, 'forbidden');
    await expected(put('', {}), 401, 'unauthorized');
    await expected(put(ANN, {}, `${path}-rc.1`), 404, 'not_found');
    await expected(registry.call('DELETE', path, weak), 403, 'forbidden');
    expect((await registry.call('DELETE', path, token)).status).toBe(204);
    expect((await registry.call('DELETE', path, ANN)).status).toBe(204);
    await expected(put(ANN, {}), 404, 'not_found');
    await expected(registry.publish('acme', 'pack-v', '1.0.0', token), 409, 'version_exists');
  });

  it('version that is not flagged needs no review', async () => {
    await registry.active('acme', 'pack-v', '1.1.0', token);
    const ask = (body?: unknown) =>
      registry.call('POST', '/publishers/acme/nodes/pack-v/versions/1.1.0/request-review', ANN, body);
    await expected(ask({}), 409, 'already_set');
    await expected(ask([]), 400, 'invalid_request');
  });

  it('is reported to the operator', async () => {
    const report = (body: unknown, key = BOB) => registry.call('POST', '/nodes/pack-v/reports', key, body);
    expect(await report({ reason: 'spam', message: 'ads' })).toMatchObject({ status: 202, body: {} });
    expect((await report({ reason: 'malware' })).status).toBe(202);
    await expected(report({ reason: 'boring' }), 400, 'invalid_request');
    await expected(report({ reason: 'spam' }, ''), 401, 'unauthorized');
    const queue = await registry.admin.queue({ after: null, limit: 10 });
    expect(queue).toMatchObject({
      ok: true,
      value: [{ kind: 'report', nodeId: 'pack-v', version: null, text: 'spam: ads' }],
    });
  });

  it('takes no text that cannot be stored, and no deep object', async () => {
    const path = '/publishers/acme/nodes/pack-v';
    let deep: object = {};
    for (let level = 0; level < 9; level++) deep = { a: deep };
    for (const body of [
      { name: '\ud800' },
      { tags: ['x\udfff'] },
      { translations: deep },
      { translations: { a: '\ud800' } },
    ])
      await expected(registry.call('PUT', path, ANN, body), 400, 'invalid_request');
    await expected(registry.call('PUT', path, ANN, { translations: { de: { name: 'Paket' } } }), 200);
  });

  it('is signed once, with its bytes; where the key is unknown by now, again', async () => {
    const stored = `select signature from registry.version where node_key = 'pack-v' and version = '7.0.0'`;
    const shown = async () => (await registry.call('GET', '/nodes/pack-v/versions/7.0.0')).body.signature;
    const { owner } = registry.database;
    await registry.active('acme', 'pack-v', '7.0.0', token);
    const { signature } = (await owner.query<{ signature: { keyid: string; sig: string } }>(stored)).rows[0]!;
    const change = async (field: string, value: string) => {
      const text = `update registry.version set signature = (signature::jsonb || $1)::json where version = '7.0.0'`;
      await owner.query(text, [{ [field]: value }]);
      // An answer is kept for a second.
      await registry.call('POST', '/nodes/pack-v/reviews?star=3', ANN);
    };
    expect(await shown()).toEqual(signature);
    await change('sig', 'kept');
    expect(await shown()).toEqual({ keyid: signature.keyid, sig: 'kept' });
    await change('keyid', 'gone');
    expect(await shown()).toEqual(signature);
  });

  it('takes an upload without a byte as no archive', async () => {
    const { body } = await registry.publish('acme', 'pack-v', '8.0.0', token);
    await expected(registry.call('PUT', body.signedUrl, '', Buffer.alloc(0)), 400, 'invalid_archive');
  });

  it('that is deleted stays so, and its id is never free again', async () => {
    const path = '/publishers/acme/nodes/pack-v';
    await expected(registry.call('DELETE', path, BOB), 403, 'forbidden');
    expect((await registry.call('DELETE', path, ANN)).status).toBe(204);
    expect((await registry.call('DELETE', path, ANN)).status).toBe(204);
    await expected(registry.call('DELETE', '/publishers/acme/nodes/nothing', ANN), 404, 'not_found');
    await expected(registry.call('GET', '/nodes/pack-v'), 404, 'not_found');
    await expected(registry.call('PUT', path, ANN, {}), 404, 'not_found');
    await expected(make({ id: 'pack-v' }), 409, 'node_exists');
    await expected(registry.publish('acme', 'pack-v', '9.0.0', token), 409, 'node_exists');
  });
});
