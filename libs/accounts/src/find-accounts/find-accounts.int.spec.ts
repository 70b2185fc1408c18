import { describe, expect, it } from 'vitest';
import { accountsForSpecs, valueOf } from '../accounts-under-test.fixture.js';

describe('accounts by name and by id', () => {
  const spec = accountsForSpecs();

  it('are found where they exist', async () => {
    const { accountId } = valueOf(await spec.here.accounts.create('acme', {}));
    expect(await spec.here.accounts.idOf('acme')).toBe(accountId);
    expect(await spec.here.accounts.idOf('nobody')).toBeNull();
    expect(await spec.here.accounts.namesOf([accountId])).toEqual(new Map([[accountId, 'acme']]));
  });
});
