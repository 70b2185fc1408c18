import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, keyFor, TIME, valueOf } from '../accounts-under-test.fixture.js';

describe('the revocation of a key', () => {
  const spec = accountsForSpecs();

  it('keeps the time of the first revocation', async () => {
    const { view } = valueOf(await spec.here.accounts.createKey(keyFor('acme')));
    const first = valueOf(await spec.here.accounts.revokeKey(view.keyId));
    expect(first.revokedAt).toMatch(TIME);
    expect(valueOf(await spec.here.accounts.revokeKey(view.keyId))).toEqual(first);
  });

  it('of a key that was pasted as an id repeats none of it', async () => {
    const { key } = valueOf(await spec.here.accounts.createKey(keyFor('acme')));
    expect(JSON.stringify(await spec.here.accounts.revokeKey(key.reveal()))).not.toContain(key.reveal().slice(21, 40));
    expect(codeOf(await spec.here.accounts.revokeKey('0'.repeat(16)))).toBe('not_found');
  });
});
