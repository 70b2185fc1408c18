import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

describe('the ranks of a node', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    ({ registry } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  it('change in the fields that are given', async () => {
    valueOf(await registry.admin.setRanks('pack-a', { searchRanking: 5, preempted: ['A'] }));
    valueOf(await registry.admin.setRanks('pack-a', { tags: ['trusted'] }));
    expect((await registry.call('GET', '/nodes/pack-a')).body).toMatchObject({
      search_ranking: 5,
      preempted_wf_node_names: ['A'],
      tags_admin: ['trusted'],
    });
    expect(codeOf(await registry.admin.setRanks('pack-a', { searchRanking: 0.5 }))).toBe('invalid_request');
  });
});
