import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS } from '../known-accounts.fake.js';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB, EVE] = ['key-ann', 'key-bob', 'key-eve'];

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

  const remove = (key: string, id: string): Promise<Answered> =>
    registry.call('DELETE', `/publishers/acme/members/${id}`, key);
  const idOf = async (account: string): Promise<string> =>
    (await registry.call('GET', '/publishers/acme')).body.members.find(
      ({ user }: { user: { id: string } }) => user.id === account,
    ).id;

  it('that is the last owner stays', async () => {
    await expected(remove(ANN, await idOf(ACCOUNTS.ann)), 409, 'last_owner');
  });

  it('is removed by an owner, and one of two owners that remove each other at once stays', async () => {
    await registry.call('POST', '/publishers/acme/members', ANN, { account: 'bob', role: 'owner' });
    const [ann, bob] = [await idOf(ACCOUNTS.ann), await idOf(ACCOUNTS.bob)];
    const both = await Promise.all([remove(ANN, bob), remove(BOB, ann)]);
    // The loser is no owner any more, or the last one.
    expect(both.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    const left = (await registry.call('GET', '/publishers/acme')).body.members;
    expect(left).toMatchObject([{ role: 'owner' }]);
    const key = left[0].user.id === ACCOUNTS.ann ? ANN : BOB;
    await expected(remove(key, 'no-id'), 404, 'not_found');
    await expected(remove(key, ann === left[0].id ? bob : ann), 404, 'not_found');
    await expected(remove(EVE, left[0].id), 403, 'forbidden');
  });
});
