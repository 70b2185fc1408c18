import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS } from '../known-accounts.fake.js';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB, EVE] = ['key-ann', 'key-bob', 'key-eve'];

describe('a publisher', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('id is free until somebody has it, unless it is reserved', async () => {
    const isAvailable = (id: string) => registry.call('GET', `/publishers/validate?username=${id}`);
    expect((await isAvailable('other')).body).toEqual({ isAvailable: true });
    expect((await isAvailable('acme')).body).toEqual({ isAvailable: false });
    expect((await isAvailable('admin')).body).toEqual({ isAvailable: false });
    for (const query of ['', '?username=', '?username=A', '?username=a1&username=b1']) {
      await expected(registry.call('GET', `/publishers/validate${query}`), 400, 'invalid_parameter');
    }
  });

  it('is shown to everybody, without addresses', async () => {
    const { body } = await registry.call('GET', '/publishers/acme');
    expect(body).toMatchObject({ id: 'acme', name: 'acme', status: 'PublisherStatusActive' });
    expect(body.members).toMatchObject([{ role: 'owner', user: { id: ACCOUNTS.ann, email: '' } }]);
    await expected(registry.call('GET', '/publishers/nobody'), 404, 'not_found');
    await expected(registry.call('GET', '/publishers/a%00b'), 400, 'invalid_request');
  });

  it('is changed by an owner alone, in the fields that are given', async () => {
    const put = (key: string, body: unknown, id = 'acme') => registry.call('PUT', `/publishers/${id}`, key, body);
    expect((await put(ANN, { website: 'https://acme.example' })).body).toMatchObject({
      name: 'acme',
      website: 'https://acme.example',
    });
    expect((await put(ANN, { name: 'Acme', website: null })).body).toMatchObject({
      name: 'Acme',
      website: 'https://acme.example',
    });
    await expected(put('', { name: 'x' }), 401, 'unauthorized');
    await expected(put('key-nobody', { name: 'x' }), 401, 'unauthorized');
    await expected(put(token, { name: 'x' }), 401, 'invalid_token');
    await expected(put(BOB, { name: 'x' }), 403, 'forbidden');
    await expected(put(ANN, { name: 'x' }, 'nobody'), 404, 'not_found');
    await expected(put(ANN, []), 400, 'invalid_request');
    const { message } = await expected(
      put(ANN, { name: 7, logo: 'javascript:1', support: 'a\0' }),
      400,
      'invalid_request',
    );
    for (const field of ['name', 'logo', 'support']) expect(message).toContain(field);
  });

  it('is in the list of its members', async () => {
    expect((await registry.call('GET', '/users/publishers', ANN)).body).toMatchObject([{ id: 'acme' }]);
    expect((await registry.call('GET', '/users/publishers', BOB)).body).toEqual([]);
    await expected(registry.call('GET', '/users/publishers'), 401, 'unauthorized');
    await expected(registry.call('GET', '/users/publishers', token), 401, 'invalid_token');
  });

  it('has tokens, which are shown once, and end', async () => {
    const tokens = '/publishers/acme/tokens';
    const { body: made } = await registry.call('POST', tokens, ANN, { name: 'second', nodes: ['Pack-A'] });
    const { body: listed } = await registry.call('GET', tokens, ANN);
    expect(JSON.stringify(listed)).not.toContain(made.token);
    expect(listed[1]).toEqual({
      ...Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'token')),
      prefix: `hdr_${made.id}`,
      last_used_at: '',
    });
    const { rows } = await registry.database.owner.query<{ text: string }>(
      'select token::text as text from registry.token',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(made.token.split('_')[2]);
    await expected(registry.call('GET', tokens, BOB), 403, 'forbidden');
    await expected(registry.call('DELETE', `${tokens}/${made.id}`, BOB), 403, 'forbidden');
    const { message } = await expected(registry.call('DELETE', `${tokens}/nonsense`, ANN), 404, 'not_found');
    expect(message).toContain('"nonsense"');
    await registry.publisher('other', BOB);
    await expected(registry.call('DELETE', `/publishers/other/tokens/${made.id}`, BOB), 404, 'not_found');
    expect((await registry.call('DELETE', `${tokens}/${made.id}`, ANN)).status).toBe(204);
    expect((await registry.call('GET', tokens, ANN)).body).toHaveLength(1);
    await expected(registry.publish('acme', 'pack-a', '1.0.0', made.token), 401, 'invalid_token');
    await expected(registry.call('GET', '/publishers/acme', made.token), 401, 'invalid_token');
  });

  it('gives one answer for every token that is not good for it, and repeats none', async () => {
    const [, id, secret, checksum] = token.split('_') as [string, string, string, string];
    const foreign = await registry.publisher('third', BOB);
    const wrong = ['nope', `hdr_${id}_${secret}_00000000`, `hdr_${'a'.repeat(16)}_${secret}_${checksum}`, foreign];
    const answers = await Promise.all(wrong.map((text) => registry.publish('acme', 'pack-a', '1.0.0', text)));
    const unknown = await registry.publish('unknown', 'pack-a', '1.0.0', token);
    for (const answer of [...answers, unknown]) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    for (const text of [...wrong, token]) expect(JSON.stringify(answers)).not.toContain(text);
    await expected(registry.call('GET', `/publishers/acme?token=${token}`), 400, 'invalid_request');
  });

  it('has members, one of whom is always an owner', async () => {
    const add = (key: string, body: object) => registry.call('POST', '/publishers/acme/members', key, body);
    const idOf = async (account: string): Promise<string> =>
      (await registry.call('GET', '/publishers/acme')).body.members.find(
        ({ user }: { user: { id: string } }) => user.id === account,
      ).id;
    const remove = (key: string, id: string) => registry.call('DELETE', `/publishers/acme/members/${id}`, key);

    await expected(add(BOB, { account: 'bob', role: 'owner' }), 403, 'forbidden');
    await expected(add('', { account: 'bob', role: 'owner' }), 401, 'unauthorized');
    await expected(add(ANN, { account: 'mallory', role: 'member' }), 400, 'invalid_request');
    await expected(add(ANN, { account: 'bob', role: 'boss' }), 400, 'invalid_request');
    expect((await add(ANN, { account: 'bob', role: 'member' })).status).toBe(201);
    await expected(registry.call('GET', '/publishers/acme/tokens', BOB), 403, 'forbidden');
    await expected(add(ANN, { account: 'ann', role: 'member' }), 409, 'last_owner');
    await expected(remove(ANN, await idOf(ACCOUNTS.ann)), 409, 'last_owner');

    expect((await add(ANN, { account: ACCOUNTS.bob, role: 'owner' })).body.members).toHaveLength(2);
    const [ann, bob] = [await idOf(ACCOUNTS.ann), await idOf(ACCOUNTS.bob)];
    const both = await Promise.all([remove(ANN, bob), remove(BOB, ann)]);
    // One of two owners that remove each other stays: the loser is no owner any more, or the last one.
    expect(both.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    const left = (await registry.call('GET', '/publishers/acme')).body.members;
    expect(left).toMatchObject([{ role: 'owner' }]);
    const key = left[0].user.id === ACCOUNTS.ann ? ANN : BOB;
    await expected(remove(key, 'no-id'), 404, 'not_found');
    await expected(remove(key, ann === left[0].id ? bob : ann), 404, 'not_found');
    await expected(remove(EVE, left[0].id), 403, 'forbidden');
  });
});
