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

  it('ends a key that would live for ever after the overlap, which may be none', async () => {
    const endOf = async (overlapS: number): Promise<number> => {
      const old = valueOf(await spec.here.accounts.createKey(keyFor('forever')));
      expect(old.view.expiresAt).toBeNull();
      const next = valueOf(await spec.here.accounts.rotateKey(old.view.keyId, overlapS));
      expect(next.view.expiresAt).toBeNull();
      const keys = valueOf(await spec.here.accounts.listKeys('forever', { after: null, limit: 100 }));
      const end = keys.find(({ keyId }) => keyId === old.view.keyId)!.expiresAt!;
      return Date.parse(end) - Date.parse(next.view.createdAt);
    };
    expect([await endOf(60), await endOf(0)]).toEqual([60_000, 0]);
  });

  it('by several at once never lets the old key live longer than the shortest overlap', async () => {
    const old = valueOf(await spec.here.accounts.createKey(keyFor('busy')));
    const nexts = await Promise.all(
      [3_000, 60, 600, 1_200].map((overlapS) => spec.here.accounts.rotateKey(old.view.keyId, overlapS)),
    );
    const shortest = valueOf(nexts[1]!);
    const keys = valueOf(await spec.here.accounts.listKeys('busy', { after: null, limit: 100 }));
    const end = Date.parse(keys.find(({ keyId }) => keyId === old.view.keyId)!.expiresAt!);
    expect(end - Date.parse(shortest.view.createdAt)).toBeLessThanOrEqual(60_000);
  });

  it('of a key that was pasted as an id repeats none of it', async () => {
    const { key } = valueOf(await spec.here.accounts.createKey(keyFor('acme')));
    expect(JSON.stringify(await spec.here.accounts.rotateKey(key.reveal(), 1))).not.toContain(
      key.reveal().slice(21, 40),
    );
  });
});
