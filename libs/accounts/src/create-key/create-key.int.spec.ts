import { SCOPES } from '@heddle/contracts-api-v2';
import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, keyFor, valueOf } from '../accounts-under-test.fixture.js';

describe('the creation of a key', () => {
  const spec = accountsForSpecs();

  it('makes a key with its account, shows it once, and stores a digest alone', async () => {
    const request = keyFor('newcomer', { name: 'CI', scopes: ['jobs:read', 'jobs:read'], expiresInS: 60 });
    const { key, view } = valueOf(await spec.here.accounts.createKey(request));
    expect(key.reveal()).toMatch(new RegExp(`^hdl_${view.keyId}_[A-Za-z0-9]{43}_[0-9a-f]{8}$`));
    expect(view).toMatchObject({ account: 'newcomer', name: 'CI', scopes: ['jobs:read'], lastUsedAt: null });
    expect(Date.parse(view.expiresAt!) - Date.parse(view.createdAt)).toBe(60_000);
    const { rows } = await spec.db.owner.query<{ row: string }>('select k::text as row from accounts.api_key k');
    expect(JSON.stringify(rows)).not.toContain(key.reveal().split('_')[2]);
    expect(valueOf(await spec.here.accounts.createKey(keyFor('newcomer'))).view.scopes).toEqual(SCOPES);
    const two = await Promise.all([1, 2, 3].map(() => spec.here.accounts.createKey(keyFor('at-once'))));
    expect(two.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
  });

  it('refuses keys that cannot be, naming each field', async () => {
    const refused = await spec.here.accounts.createKey({ account: '-', name: '', scopes: ['root'], expiresInS: 0 });
    expect(refused).toMatchObject({ rejection: { code: 'invalid_request' } });
    expect(
      Object.keys((refused as unknown as { rejection: { details: { fields: object } } }).rejection.details.fields),
    ).toEqual(['account', 'name', 'scopes', 'expires_in']);
  });
});
