import { SCOPES } from '@heddle/contracts-api-v2';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, keyFor, openAccounts, valueOf } from './accounts-under-test.fixture.js';
import type { AccountsUnderTest } from './accounts-under-test.fixture.js';
import { ACCOUNTS_MIGRATIONS } from './accounts-schema/accounts-migrations.js';

const NO_LIMITS = {
  queueDepth: null,
  running: null,
  streams: null,
  storageBytes: null,
  readRate: null,
  readBurst: null,
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the accounts context', () => {
  let db: TestDatabase;
  let here: AccountsUnderTest;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    here = await openAccounts(db.database);
  });
  afterAll(async () => {
    await here.close();
    await db.drop();
  });

  it('makes an account once, with limits, and shows it', async () => {
    const limits = { queueDepth: 7, storageBytes: Number.MAX_SAFE_INTEGER, readRate: 0.5 };
    const made = valueOf(await here.accounts.create('acme', limits));
    expect(made).toEqual({
      accountId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'acme',
      status: 'active',
      createdAt: expect.stringMatching(TIME) as string,
      limits: { ...NO_LIMITS, ...limits },
    });
    expect(valueOf(await here.accounts.show('acme'))).toEqual(made);
    expect(codeOf(await here.accounts.create('acme', {}))).toBe('already_exists');
    expect(await here.accounts.idOf('acme')).toBe(made.accountId);
    expect(await here.accounts.idOf('nobody')).toBeNull();
    expect(await here.accounts.namesOf([made.accountId])).toEqual(new Map([[made.accountId, 'acme']]));
  });

  it('refuses names and limits that cannot be, naming each', async () => {
    const refused = await here.accounts.create('Acme', { running: -1, streams: 1.5 });
    expect(refused).toMatchObject({
      rejection: {
        code: 'invalid_request',
        details: { fields: { name: /1 to 63/, running: /whole number/, streams: /whole number/ } },
      },
    });
    expect(codeOf(await here.accounts.setLimits('acme', { readBurst: -1 }))).toBe('invalid_request');
    for (const call of ['show', 'suspend', 'resume'] as const)
      expect(codeOf(await here.accounts[call]('nobody'))).toBe('not_found');
    expect(codeOf(await here.accounts.setLimits('nobody', {}))).toBe('not_found');
  });

  it('changes the limits that are given, and takes back those that are null', async () => {
    await here.accounts.create('limited', { queueDepth: 1, running: 2 });
    const changed = valueOf(await here.accounts.setLimits('limited', { queueDepth: null, streams: 3 }));
    expect(changed.limits).toEqual({ ...NO_LIMITS, running: 2, streams: 3 });
    expect(valueOf(await here.accounts.setLimits('limited', {})).limits).toEqual(changed.limits);
  });

  it('suspends and resumes, also twice', async () => {
    await here.accounts.create('paused', {});
    for (const [call, status] of [
      ['suspend', 'suspended'],
      ['suspend', 'suspended'],
      ['resume', 'active'],
    ] as const)
      expect(valueOf(await here.accounts[call]('paused')).status).toBe(status);
  });

  it('lists accounts and keys in parts, each exactly once', async () => {
    for (const name of ['l1', 'l2', 'l3', 'l_', 'l-']) await here.accounts.createKey(keyFor(name));
    const names: string[] = [];
    for (let after: string | null = null; ;) {
      const part = await here.accounts.list({ after, limit: 2 });
      names.push(...part.map(({ name }) => name));
      after = part.at(-1)?.name ?? null;
      if (part.length < 2) break;
    }
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['acme', 'l-', 'l1', 'l2', 'l3', 'l_']));
    const all = valueOf(await here.accounts.listKeys(null, { after: null, limit: 100 }));
    const parts = valueOf(await here.accounts.listKeys(null, { after: all[1]!.keyId, limit: 2 }));
    expect(parts).toEqual(all.slice(2, 4));
    const own = valueOf(await here.accounts.listKeys('l2', { after: null, limit: 100 }));
    expect(own.map(({ account }) => account)).toEqual(['l2']);
    expect(codeOf(await here.accounts.listKeys('nobody', { after: null, limit: 1 }))).toBe('not_found');
  });

  it('makes a key with its account, shows it once, and stores a digest alone', async () => {
    const request = keyFor('newcomer', { name: 'CI', scopes: ['jobs:read', 'jobs:read'], expiresInS: 60 });
    const { key, view } = valueOf(await here.accounts.createKey(request));
    expect(key.reveal()).toMatch(new RegExp(`^hdl_${view.keyId}_[A-Za-z0-9]{43}_[0-9a-f]{8}$`));
    expect(view).toMatchObject({ account: 'newcomer', name: 'CI', scopes: ['jobs:read'], lastUsedAt: null });
    expect(Date.parse(view.expiresAt!) - Date.parse(view.createdAt)).toBe(60_000);
    const { rows } = await db.owner.query<{ row: string }>('select k::text as row from accounts.api_key k');
    expect(JSON.stringify(rows)).not.toContain(key.reveal().split('_')[2]);
    expect(valueOf(await here.accounts.createKey(keyFor('newcomer'))).view.scopes).toEqual(SCOPES);
    const two = await Promise.all([1, 2, 3].map(() => here.accounts.createKey(keyFor('at-once'))));
    expect(two.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
  });

  it('refuses keys that cannot be, and shows no key that was pasted as an id', async () => {
    const refused = await here.accounts.createKey({ account: '-', name: '', scopes: ['root'], expiresInS: 0 });
    expect(refused).toMatchObject({ rejection: { code: 'invalid_request' } });
    expect(
      Object.keys((refused as unknown as { rejection: { details: { fields: object } } }).rejection.details.fields),
    ).toEqual(['account', 'name', 'scopes', 'expires_in']);
    const { key } = valueOf(await here.accounts.createKey(keyFor('acme')));
    for (const pasted of [here.accounts.revokeKey(key.reveal()), here.accounts.rotateKey(key.reveal(), 1)])
      expect(JSON.stringify(await pasted)).not.toContain(key.reveal().slice(21, 40));
    expect(codeOf(await here.accounts.revokeKey('0'.repeat(16)))).toBe('not_found');
  });

  it('rotates: same name, scopes and life; the old key ends after the overlap, never later than before', async () => {
    const request = keyFor('acme', { name: 'web', scopes: ['jobs:read'], expiresInS: 3_600 });
    const old = valueOf(await here.accounts.createKey(request));
    const next = valueOf(await here.accounts.rotateKey(old.view.keyId, 60));
    expect(next.view).toMatchObject({ name: 'web', scopes: ['jobs:read'], replaces: old.view.keyId, account: 'acme' });
    expect(Date.parse(next.view.expiresAt!) - Date.parse(next.view.createdAt)).toBe(3_600_000);
    const oldEnd = async (): Promise<number> => {
      const keys = valueOf(await here.accounts.listKeys('acme', { after: null, limit: 100 }));
      return Date.parse(keys.find(({ keyId }) => keyId === old.view.keyId)!.expiresAt!);
    };
    expect(await oldEnd()).toBe(Date.parse(next.view.createdAt) + 60_000);
    await here.accounts.rotateKey(old.view.keyId, 3_000);
    expect(await oldEnd()).toBe(Date.parse(next.view.createdAt) + 60_000);
    expect(codeOf(await here.accounts.rotateKey(old.view.keyId, -1))).toBe('invalid_request');
    await here.accounts.revokeKey(old.view.keyId);
    expect(codeOf(await here.accounts.rotateKey(old.view.keyId, 1))).toBe('not_found');
  });

  it('keeps the time of the first revocation', async () => {
    const { view } = valueOf(await here.accounts.createKey(keyFor('acme')));
    const first = valueOf(await here.accounts.revokeKey(view.keyId));
    expect(first.revokedAt).toMatch(TIME);
    expect(valueOf(await here.accounts.revokeKey(view.keyId))).toEqual(first);
  });
});
