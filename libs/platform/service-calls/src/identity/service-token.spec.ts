import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueServiceToken, newServiceKeyPair } from './service-token.js';
import { TokenVerifier } from './token-verifier.js';

const { privateKey, publicKey } = newServiceKeyPair();
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600;
const bearer = (claims: Partial<Parameters<typeof issueServiceToken>[1]> = {}, key = privateKey): string =>
  `Bearer ${issueServiceToken(key, { service: 'gateway', deploymentId: null, expiresAt: inAnHour(), ...claims })}`;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function reasonOf(authorization: string | undefined, verifier = new TokenVerifier([publicKey])): string {
  const verified = verifier.verify(authorization);
  return verified.ok ? 'believed' : verified.reason;
}

describe('a service token', () => {
  it('tells who calls, the first time and from memory', () => {
    const verifier = new TokenVerifier([publicKey]);
    const token = bearer({ service: 'worker', deploymentId: 'd-1' });
    for (const _ of [1, 2]) {
      expect(verifier.verify(token)).toEqual({ ok: true, identity: { service: 'worker', deploymentId: 'd-1' } });
    }
    expect(verifier.verify(bearer())).toEqual({ ok: true, identity: { service: 'gateway', deploymentId: null } });
  });

  it('opens nothing from its expiry on, even where it was believed before', () => {
    const nextSecond = Math.floor(Date.now() / 1_000) + 1;
    const verifier = new TokenVerifier([publicKey]);
    expect(reasonOf(bearer({ expiresAt: nextSecond - 10 }), verifier)).toMatch(/of gateway expired at 20\d\d-/);
    const token = bearer({ expiresAt: nextSecond });
    verifier.verify(token);
    const realNow = Date.now;
    try {
      Date.now = () => nextSecond * 1_000;
      expect(reasonOf(token, verifier)).toMatch(/expired/);
    } finally {
      Date.now = realNow;
    }
  });

  it('is believed under each of the keys that are given, so that keys can be changed', () => {
    const next = newServiceKeyPair();
    const both = new TokenVerifier([publicKey, next.publicKey]);
    expect(reasonOf(bearer(), both)).toBe('believed');
    expect(reasonOf(bearer({}, next.privateKey), both)).toBe('believed');
    expect(reasonOf(bearer({}, next.privateKey))).toMatch(/not signed by the key/);
  });

  it('is refused with what is wrong with it, and without a letter of it', () => {
    const [head = '', claims = '', signature = ''] = bearer().slice(7).split('.');
    const signed = (header: object, body: unknown): string => {
      const text = `${encode(header)}.${Buffer.from(JSON.stringify(body)).toString('base64url')}`;
      return `Bearer ${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
    };
    const eddsa = { alg: 'EdDSA' };
    const cases: readonly (readonly [string | undefined, RegExp])[] = [
      [undefined, /no service token/],
      ['', /no service token of the form/],
      ['Basic Z2F0ZXdheTp4', /no service token of the form/],
      [`Bearer ${head}.${claims}`, /no service token of the form/],
      [`Bearer ${'a'.repeat(4_000)}.b.c`, /too long/],
      [`Bearer ${encode({ alg: 'none' })}.${claims}.${signature}`, /must be signed with EdDSA/],
      [`Bearer ${encode({ alg: 'HS256' })}.${claims}.${signature}`, /must be signed with EdDSA/],
      [`Bearer ${head}.${encode({ sub: 'worker', exp: inAnHour() })}.${signature}`, /not signed by the key/],
      [`Bearer ${head}.${claims}.${'A'.repeat(86)}`, /not signed by the key/],
      [signed(eddsa, { sub: 'gateway' }), /claims sub and exp/],
      [signed(eddsa, { exp: inAnHour() }), /claims sub and exp/],
      [signed(eddsa, { sub: 'gateway', exp: inAnHour(), dep: 7 }), /claims sub and exp/],
      [signed(eddsa, 'gateway'), /claims sub and exp/],
    ];
    for (const [given, reason] of cases) {
      expect(reasonOf(given)).toMatch(reason);
      if (given !== undefined && given.length > 8) expect(reasonOf(given)).not.toContain(given.slice(7, 30));
    }
  });

  it('is not issued for what cannot be meant', () => {
    expect(() => bearer({ service: 'Gateway!' })).toThrow(/no name of a service/);
    expect(() => bearer({ expiresAt: 1.5 })).toThrow(/whole seconds/);
    expect(() => bearer({}, 'no key')).toThrow();
    expect(() => new TokenVerifier([])).toThrow(/at least one public key/);
  });
});
