import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, keyFor, valueOf } from '../accounts-under-test.fixture.js';

describe('the rotation of a key', () => {
  const spec = accountsForSpecs();

  it('keeps name, scopes and life; the old key ends after the overlap, never later than before', async () => {
    const request = keyFor('acme', { name: 'web', scopes: ['jobs:read'], expiresInS: 3_600 });
    const old = valueOf(await spec.here.accounts.createKey(request));
    const next = valueOf(await spec.here.accounts.rotateKey(old.view.keyId, 60));
    expect(next.view).toMatchObject({ name: 'web', scopes: ['jobs:read'], replaces: old.view.keyId, account: 'acme' });
    expect(Date.parse(next.view.expiresAt!) - Date.parse(next.view.createdAt)).toBe(3_600_000);
    const oldEnd = async (): Promise<number> => {
      const keys = valueOf(await spec.here.accounts.listKeys('acme', { after: null, limit: 100 }));
      return Date.parse(keys.find(({ keyId }) => keyId === old.view.keyId)!.expiresAt!);
    };
    expect(await oldEnd()).toBe(Date.parse(next.view.createdAt) + 60_000);
    await spec.here.accounts.rotateKey(old.view.keyId, 3_000);
    expect(await oldEnd()).toBe(Date.parse(next.view.createdAt) + 60_000);
    expect(codeOf(await spec.here.accounts.rotateKey(old.view.keyId, -1))).toBe('invalid_request');
    await spec.here.accounts.revokeKey(old.view.keyId);
    expect(codeOf(await spec.here.accounts.rotateKey(old.view.keyId, 1))).toBe('not_found');
  });

  it('of a key that was pasted as an id repeats none of it', async () => {
    const { key } = valueOf(await spec.here.accounts.createKey(keyFor('acme')));
    expect(JSON.stringify(await spec.here.accounts.rotateKey(key.reveal(), 1))).not.toContain(
      key.reveal().slice(21, 40),
    );
  });
});
