import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAdminApi } from '../admin/admin-api.fixture.js';
import type { AdminApi } from '../admin/admin-api.fixture.js';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

type Line = Readonly<Record<string, unknown>>;

const ACCOUNT_FIELDS = ['account_id', 'name', 'status', 'created_at', 'limits', 'usage', 'balance'];
const KEY_FIELDS = [
  ...['key', 'key_id', 'account', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
  'replaces',
];
const NO_LIMITS = {
  ...{ queue_depth: null, running: null, streams: null },
  ...{ storage_bytes: null, read_rate: null, read_burst: null },
};

describe('the commands of accounts and keys', () => {
  let api: AdminApi;
  beforeAll(async () => {
    api = await startAdminApi();
  });
  afterAll(async () => await api.close());

  const heddle = async (...words: string[]) => await heddleInProcess(words, api.env);
  const lines = async (...words: string[]): Promise<readonly Line[]> => {
    const { code, out, err } = await heddle(...words, '--json');
    if (code !== 0) throw new Error(`exit ${code}: ${out}${err}`);
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  };
  const line = async (...words: string[]): Promise<Line> => (await lines(...words))[0]!;

  it('print every field of an account, null where it is not known', async () => {
    const account = await line('accounts', 'create', 'acme', '--queue-depth', '7', '--read-rate', '0.5');
    expect(Object.keys(account)).toEqual(ACCOUNT_FIELDS);
    expect(account).toMatchObject({
      name: 'acme',
      status: 'active',
      limits: { ...NO_LIMITS, queue_depth: 7, read_rate: 0.5 },
      usage: { waiting: null, running: null, storage_bytes: null },
      balance: null,
    });
    expect(await line('accounts', 'show', 'acme')).toEqual(account);
    const changed = await line('accounts', 'set', 'acme', '--queue-depth', 'default', '--streams', '3');
    expect(changed['limits']).toEqual({ ...NO_LIMITS, read_rate: 0.5, streams: 3 });
    expect((await line('accounts', 'suspend', 'acme'))['status']).toBe('suspended');
    expect((await line('accounts', 'resume', 'acme'))['status']).toBe('active');
    await line('accounts', 'create', 'beta');
    expect((await lines('accounts', 'list')).map(({ name }) => name)).toEqual(['acme', 'beta']);
  });

  it('make a key that works, and its account; show the key once', async () => {
    const made = await line('keys', 'create', '--account', 'fresh', '--name', 'CI', '--scopes', 'jobs:read');
    expect(Object.keys(made)).toEqual(KEY_FIELDS);
    expect(made).toMatchObject({ account: 'fresh', name: 'CI', scopes: ['jobs:read'], expires_at: null });
    expect(await api.keys.check(made['key'] as string)).toMatchObject({ accountName: 'fresh' });
    const listed = await lines('keys', 'list', '--account', 'fresh');
    expect(listed).toEqual([{ ...made, key: null }]);
    const { out } = await heddle('keys', 'list');
    expect(out).toContain(made['key_id']);
    expect(out).not.toContain(String(made['key']).slice(21, 50));
  });

  it('say that a key made a new account, and what state each key is in', async () => {
    const first = await heddle('keys', 'create', '--account', 'acne');
    expect(first.err).toContain('heddle: There was no account acne: it was made with this key.\n');
    const second = await heddle('keys', 'create', '--account', 'acne', '--expires-in', '0.001');
    expect(second.err).not.toContain('There was no account');
    const third = await heddle('keys', 'create', '--account', 'acne');
    await line('keys', 'revoke', third.out.trim());
    const { out } = await heddle('keys', 'list', '--account', 'acne');
    const [titles, ...rows] = out.trimEnd().split('\n');
    const at = titles!.indexOf('STATUS');
    expect(rows.map((row) => row.slice(at).split(' ', 1)[0]).toSorted()).toEqual(['active', 'expired', 'revoked']);
  });

  it('rotate and revoke, by the id or by the whole key', async () => {
    const made = await line('keys', 'create', '--account', 'acme', '--expires-in', '3600');
    const next = await line('keys', 'rotate', String(made['key_id']), '--overlap', '60');
    expect(next).toMatchObject({ replaces: made['key_id'], account: 'acme', scopes: made['scopes'] });
    expect(await api.keys.check(made['key'] as string)).not.toBeNull();
    const revoked = await line('keys', 'revoke', String(made['key']));
    expect(Object.keys(revoked)).toEqual(KEY_FIELDS);
    expect(revoked).toMatchObject({ key: null, key_id: made['key_id'], revoked_at: expect.any(String) as string });
    expect(await api.keys.check(made['key'] as string)).toBeNull();
    expect(await api.keys.check(next['key'] as string)).not.toBeNull();
  });

  it.each([
    ['an unknown account', 1, ['accounts', 'show', 'nobody']],
    ['a name that exists', 1, ['accounts', 'create', 'beta']],
    ['an unknown key', 1, ['keys', 'revoke', '0000000000000000']],
    ['keys of an unknown account', 1, ['keys', 'list', '--account', 'nobody']],
    ['a name that cannot be', 2, ['accounts', 'create', 'No.Good']],
    ['a limit that cannot be', 2, ['accounts', 'set', 'beta', '--streams', '99999999999']],
    ['a fraction of a job', 2, ['accounts', 'set', 'beta', '--running', '1.5']],
    ['no limit', 2, ['accounts', 'set', 'beta']],
    ['no name', 2, ['accounts', 'show']],
    ['an unknown scope', 2, ['keys', 'create', '--account', 'beta', '--scopes', 'root']],
    ['a life that cannot be', 2, ['keys', 'create', '--account', 'beta', '--expires-in', '99999999999']],
    ['an overlap that cannot be', 2, ['keys', 'rotate', '0000000000000000', '--overlap', '-1']],
  ])('refuse %s with exit %i', async (_, code, words) => {
    const refused = await heddle(...words);
    expect(refused).toMatchObject({ code, out: '' });
    expect(refused.err).not.toBe('');
  });

  it('exit with 3 where no admin API answers, and with 1 for a wrong token', async () => {
    const nowhere = { HEDDLE_ADMIN_URL: 'http://127.0.0.1:9', HEDDLE_ADMIN_TOKEN: 'x' };
    expect((await heddleInProcess(['keys', 'list'], nowhere)).code).toBe(3);
    expect((await heddleInProcess(['keys', 'list'], { ...api.env, HEDDLE_ADMIN_TOKEN: 'x' })).code).toBe(1);
  });

  it('list more than one part', async () => {
    for (let key = 0; key < 3; key++) await line('keys', 'create', '--account', 'many');
    const answer = async (query: string): Promise<{ keys: Line[]; next: string | null }> => {
      const headers = { authorization: `Bearer ${api.env['HEDDLE_ADMIN_TOKEN']}` };
      const response = await fetch(`${api.env['HEDDLE_ADMIN_URL']}/admin/v1/keys?account=many&${query}`, { headers });
      return (await response.json()) as { keys: Line[]; next: string | null };
    };
    const first = await answer('limit=2');
    const second = await answer(`limit=2&after=${first.next}`);
    expect([first.keys.length, second.keys.length, second.next]).toEqual([2, 1, null]);
    for (const limit of ['0', '1001', 'x', '-1'])
      expect(await answer(`limit=${limit}`)).toMatchObject({ error: { code: 'invalid_request' } });
  });

  it('take no options of client commands, which would have no effect', async () => {
    for (const [option, value, instead] of [
      ['--url', 'http://127.0.0.1:1', '--admin-url URL names the admin API'],
      ['--token', 'x', 'HEDDLE_ADMIN_TOKEN holds the token of the admin API'],
    ] as const) {
      const { code, err } = await heddle('accounts', 'suspend', 'acme', option, value);
      expect([code, err]).toEqual([2, `heddle: accounts suspend does not take ${option}\n        ${instead}\n`]);
    }
    expect((await line('accounts', 'show', 'acme'))['status']).toBe('active');
  });

  it('say what lists the names where one is unknown', async () => {
    const account = await heddle('accounts', 'suspend', 'acm');
    expect([account.code, account.err]).toEqual([
      1,
      expect.stringContaining('heddle accounts list shows what there is'),
    ]);
    const key = await heddle('keys', 'revoke', 'a'.repeat(16));
    expect([key.code, key.err]).toEqual([1, expect.stringContaining('heddle keys list shows what there is')]);
  });

  it('say that a change may have been made where the service failed', async () => {
    await api.loseDatabase();
    const { code, err } = await heddle('accounts', 'suspend', 'acme');
    expect(code).toBe(1);
    expect(err).toContain('It is unknown whether the change was made.');
    expect(err).toContain('heddle accounts list shows whether it was done');
    expect((await heddle('accounts', 'list')).err).not.toContain('It is not known');
  });
});
