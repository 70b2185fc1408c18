import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS } from '../known-accounts.fake.js';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a member of a publisher', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  const add = (key: string, body: object): Promise<Answered> =>
    registry.call('POST', '/publishers/acme/members', key, body);

  it('is added by an owner alone', async () => {
    await expected(add(BOB, { account: 'bob', role: 'owner' }), 403, 'forbidden');
    await expected(add('', { account: 'bob', role: 'owner' }), 401, 'unauthorized');
  });

  it('is an account, by its name or its id, with a role', async () => {
    await expected(add(ANN, { account: 'bob', role: 'boss' }), 400, 'invalid_request');
    const { message } = await expected(add(ANN, { account: 'mallory', role: 'member' }), 400, 'invalid_request');
    expect(message).toBe('The field account names no account: mallory.');
    expect((await add(ANN, { account: 'bob', role: 'member' })).status).toBe(201);
    await expected(registry.call('GET', '/publishers/acme/tokens', BOB), 403, 'forbidden');
    expect((await add(ANN, { account: ACCOUNTS.bob, role: 'member' })).body.members).toHaveLength(2);
  });

  it('that is the last owner keeps its role; another one gets the new role', async () => {
    await expected(add(ANN, { account: 'ann', role: 'member' }), 409, 'last_owner');
    await expected(add(ANN, { account: 'bob', role: 'owner' }), 201);
    await expected(add(ANN, { account: 'ann', role: 'member' }), 201);
    await expected(registry.call('GET', '/publishers/acme/tokens', ANN), 403, 'forbidden');
  });
});
