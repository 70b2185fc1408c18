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

  it('is in the list of its members', async () => {
    expect((await registry.call('GET', '/users/publishers', ANN)).body).toMatchObject([{ id: 'acme' }]);
    expect((await registry.call('GET', '/users/publishers', BOB)).body).toEqual([]);
    await expected(registry.call('GET', '/users/publishers'), 401, 'unauthorized');
    await expected(registry.call('GET', '/users/publishers', token), 401, 'invalid_token');
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
