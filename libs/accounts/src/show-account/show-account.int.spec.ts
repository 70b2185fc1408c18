import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, valueOf } from '../accounts-under-test.fixture.js';

describe('an account', () => {
  const spec = accountsForSpecs();

  it('is shown as it was created, and an unknown one is not found', async () => {
    const made = valueOf(await spec.here.accounts.create('acme', { queueDepth: 7 }));
    expect(valueOf(await spec.here.accounts.show('acme'))).toEqual(made);
    expect(codeOf(await spec.here.accounts.show('nobody'))).toBe('not_found');
  });
});
