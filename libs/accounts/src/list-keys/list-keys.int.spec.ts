import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, keyFor, valueOf } from '../accounts-under-test.fixture.js';

describe('the list of keys', () => {
  const spec = accountsForSpecs();

  it('comes in parts, each key exactly once, or of one account alone', async () => {
    for (const name of ['l1', 'l2', 'l3', 'l_', 'l-']) await spec.here.accounts.createKey(keyFor(name));
    const all = valueOf(await spec.here.accounts.listKeys(null, { after: null, limit: 100 }));
    const parts = valueOf(await spec.here.accounts.listKeys(null, { after: all[1]!.keyId, limit: 2 }));
    expect(parts).toEqual(all.slice(2, 4));
    const own = valueOf(await spec.here.accounts.listKeys('l2', { after: null, limit: 100 }));
    expect(own.map(({ account }) => account)).toEqual(['l2']);
    expect(codeOf(await spec.here.accounts.listKeys('nobody', { after: null, limit: 1 }))).toBe('not_found');
  });
});
