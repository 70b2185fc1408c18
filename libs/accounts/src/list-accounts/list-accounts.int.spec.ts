import { describe, expect, it } from 'vitest';
import { accountsForSpecs } from '../accounts-under-test.fixture.js';

describe('the list of accounts', () => {
  const spec = accountsForSpecs();

  it('comes in parts, each account exactly once', async () => {
    for (const name of ['l1', 'l2', 'l3', 'l_', 'l-']) await spec.here.accounts.create(name, {});
    const names: string[] = [];
    for (let after: string | null = null; ;) {
      const part = await spec.here.accounts.list({ after, limit: 2 });
      names.push(...part.map(({ name }) => name));
      after = part.at(-1)?.name ?? null;
      if (part.length < 2) break;
    }
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['l-', 'l1', 'l2', 'l3', 'l_']));
  });
});
