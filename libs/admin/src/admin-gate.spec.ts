import { describe, expect, it } from 'vitest';
import { AdminGate } from './admin-gate.js';

const TOKEN = 'an-admin-token';
const gate = new AdminGate(TOKEN, '127.0.0.1');

function guarded(headers: Readonly<Record<string, string>>, more: { url?: string; rawHeaders?: string[] } = {}) {
  return gate.guard({ url: '/admin/v1/accounts', headers, rawHeaders: Object.entries(headers).flat(), ...more })?.code;
}

describe('the gate of the admin API', () => {
  it('admits the token and nothing else', () => {
    expect(gate.admit({ authorization: `Bearer ${TOKEN}` })).toBeNull();
    for (const authorization of [undefined, '', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer x ${TOKEN}`]) {
      expect(gate.admit({ authorization })?.code).toBe('unauthorized');
    }
  });

  it('refuses web pages and foreign hosts, also with the token', () => {
    expect(guarded({ host: '127.0.0.1:9189' })).toBeUndefined();
    expect(guarded({ host: 'localhost' })).toBeUndefined();
    expect(guarded({ host: 'rebound.example' })).toBe('forbidden_origin');
    expect(guarded({ host: '127.0.0.1:9189', origin: 'http://127.0.0.1:9189' })).toBe('forbidden_origin');
    expect(guarded({ host: '127.0.0.1', 'sec-fetch-site': 'cross-site' })).toBe('forbidden_origin');
  });

  it('refuses two Authorization headers, of which the first would be believed', () => {
    const rawHeaders = ['Authorization', `Bearer ${TOKEN}`, 'authorization', 'Bearer x'];
    expect(guarded({ host: 'localhost' }, { rawHeaders })).toBe('bad_request');
    expect(guarded({ host: 'localhost' }, { rawHeaders: rawHeaders.slice(2) })).toBeUndefined();
  });

  it('refuses a key in the target, wherever it stands', () => {
    for (const url of [
      '/admin/v1/accounts?hdl_a_b_c',
      '/admin/v1/keys/hdl_a_b_c/revoke',
      '/admin/v1/keys/hdl%5Fa_b_c',
    ]) {
      expect(guarded({ host: 'localhost' }, { url })).toBe('bad_request');
    }
    expect(guarded({ host: 'localhost' }, { url: '/admin/v1/keys/abcdefgh/revoke' })).toBeUndefined();
  });

  it('refuses a zero character in the target, which no name has and no database takes', () => {
    for (const url of ['/admin/v1/accounts/%00', '/admin/v1/keys?after=a%00b']) {
      expect(guarded({ host: 'localhost' }, { url })).toBe('bad_request');
    }
    expect(guarded({ host: 'localhost' }, { url: '/admin/v1/accounts/%2500' })).toBeUndefined();
  });
});
