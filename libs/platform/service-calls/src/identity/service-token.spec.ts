import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueServiceToken, newServiceKeyPair } from './service-token.js';
import type { ServiceClaims } from './service-token.js';
import { TokenVerifier } from './token-verifier.js';
import type { TokenRules } from './token-verifier.js';

const { privateKey, publicKey } = newServiceKeyPair();
const GATEWAY = { service: 'gateway', audience: 'jobs', deploymentId: null };
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600;
const bearer = async (claims: Partial<ServiceClaims> = {}, key = privateKey): Promise<string> =>
  `Bearer ${await issueServiceToken(key, { ...GATEWAY, expiresAt: inAnHour(), ...claims })}`;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A verifier of the jobs service by default. */
function verifierOf(rules: Partial<TokenRules> = {}): TokenVerifier {
  return new TokenVerifier({ publicKeys: [publicKey], audience: 'jobs', ...rules });
}

/** A token as a version before audiences issued it. */
function withoutAudience(service: string): string {
  const text = `${encode({ alg: 'EdDSA' })}.${encode({ sub: service, exp: inAnHour() })}`;
  return `Bearer ${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

async function reasonOf(authorization: string | undefined, verifier = verifierOf()): Promise<string> {
  const verified = await verifier.verify(authorization);
  return verified.ok ? 'believed' : verified.reason;
}

describe('a service token', () => {
  it('tells who calls, the first time and from memory', async () => {
    const verifier = verifierOf();
    const worker = { service: 'worker', deploymentId: 'd-1', revision: 3 };
    const token = await bearer(worker);
    for (const _ of [1, 2]) {
      expect(await verifier.verify(token)).toEqual({ ok: true, identity: worker });
    }
    expect(await verifier.verify(await bearer())).toEqual({
      ok: true,
      identity: { service: 'gateway', deploymentId: null, revision: 0 },
    });
  });

  it('opens nothing half a minute after its expiry, even where it was believed before', async () => {
    const nextSecond = Math.floor(Date.now() / 1_000) + 1;
    const verifier = verifierOf();
    expect(await reasonOf(await bearer({ expiresAt: nextSecond - 10 }), verifier)).toBe('believed');
    expect(await reasonOf(await bearer({ expiresAt: nextSecond - 60 }), verifier)).toMatch(
      /of gateway expired at 20\d\d-/,
    );
    const token = await bearer({ expiresAt: nextSecond });
    await verifier.verify(token);
    const realNow = Date.now;
    try {
      Date.now = () => (nextSecond + 30) * 1_000;
      expect(await reasonOf(token, verifier)).toMatch(/expired/);
    } finally {
      Date.now = realNow;
    }
  });

  it('opens the service that it names and no other one', async () => {
    const token = await bearer({ audience: 'assets' });
    expect(await reasonOf(token, verifierOf({ audience: 'assets' }))).toBe('believed');
    const refusal = 'the service token of gateway is for assets, and this is the jobs service';
    const jobs = verifierOf();
    // The second call reads the cached result.
    expect([await reasonOf(token, jobs), await reasonOf(token, jobs)]).toEqual([refusal, refusal]);
  });

  it('of a version before audiences is accepted and told once, or refused where an audience is required', async () => {
    const told: string[] = [];
    const lenient = verifierOf({ withoutAudience: (service) => void told.push(service) });
    for (const service of ['gateway', 'gateway', 'worker']) {
      expect(await reasonOf(withoutAudience(service), lenient)).toBe('believed');
    }
    expect(told).toEqual(['gateway', 'worker']);
    expect(await reasonOf(withoutAudience('worker'), verifierOf({ requireAudience: true }))).toMatch(
      /names no audience/,
    );
  });

  it('is believed under each of the keys that are given, so that keys can be changed', async () => {
    const next = newServiceKeyPair();
    const both = verifierOf({ publicKeys: [publicKey, next.publicKey] });
    expect(await reasonOf(await bearer(), both)).toBe('believed');
    expect(await reasonOf(await bearer({}, next.privateKey), both)).toBe('believed');
    expect(await reasonOf(await bearer({}, next.privateKey))).toMatch(/not signed by the key/);
  });

  it('is refused with what is wrong with it, and without a letter of it', async () => {
    const [head = '', claims = '', signature = ''] = (await bearer()).slice(7).split('.');
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
      [signed(eddsa, { sub: 'gateway' }), /claims sub, aud and exp/],
      [signed(eddsa, { exp: inAnHour() }), /claims sub, aud and exp/],
      [signed(eddsa, { sub: 'gateway', exp: inAnHour(), dep: 7 }), /claims sub, aud and exp/],
      [signed(eddsa, { sub: 'gateway', exp: inAnHour(), rev: 1.5 }), /claims sub, aud and exp/],
      [signed(eddsa, { sub: 'gateway', aud: ['jobs', 7], exp: inAnHour() }), /claims sub, aud and exp/],
      [signed(eddsa, 'gateway'), /claims sub, aud and exp/],
    ];
    for (const [given, reason] of cases) {
      expect(await reasonOf(given)).toMatch(reason);
      if (given !== undefined && given.length > 8) expect(await reasonOf(given)).not.toContain(given.slice(7, 30));
    }
  });

  it('is not issued for what cannot be meant', async () => {
    await expect(bearer({ service: 'Gateway!' })).rejects.toThrow(/not a valid name of a service/);
    await expect(bearer({ expiresAt: 1.5 })).rejects.toThrow(/whole seconds/);
    await expect(bearer({}, 'no key')).rejects.toThrow();
    expect(() => verifierOf({ publicKeys: [] })).toThrow(/at least one public key/);
  });
});
