import { describe, expect, it } from 'vitest';
import { AdminGate } from './admin-gate.js';

const TOKEN = 'an-admin-token';
const gate = new AdminGate(TOKEN, '127.0.0.1');

describe('the gate of the admin API', () => {
  it('admits the token and nothing else', () => {
    expect(gate.admit({ authorization: `Bearer ${TOKEN}` })).toBeNull();
    for (const authorization of [undefined, '', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer x ${TOKEN}`]) {
      expect(gate.admit({ authorization })?.code).toBe('unauthorized');
    }
  });

  it('refuses web pages and foreign hosts, also with the token', () => {
    expect(gate.guard({ host: '127.0.0.1:9189' })).toBeNull();
    expect(gate.guard({ host: 'localhost' })).toBeNull();
    expect(gate.guard({ host: 'rebound.example' })?.code).toBe('forbidden_origin');
    expect(gate.guard({ host: '127.0.0.1:9189', origin: 'http://127.0.0.1:9189' })?.code).toBe('forbidden_origin');
    expect(gate.guard({ host: '127.0.0.1', 'sec-fetch-site': 'cross-site' })?.code).toBe('forbidden_origin');
  });
});
