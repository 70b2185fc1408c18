import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { GatewaySettings } from '../settings.js';
import { baseUrlOf } from './links.js';

const base = (headers: Record<string, string>, settings: Partial<GatewaySettings> = {}): string =>
  baseUrlOf({ headers } as unknown as FastifyRequest, {
    publicBaseUrl: null,
    publicScheme: 'http',
    trustForwarded: false,
    ...settings,
  });
const forwarded = { host: 'inner:1', 'x-forwarded-host': 'outer.example', 'x-forwarded-proto': 'https' };

describe('the base of links (decisions, urls)', () => {
  it('is the address by which the client came', () => {
    expect(base({ host: 'localhost:8189' })).toBe('http://localhost:8189');
  });

  it('believes X-Forwarded-* only where the operator says so', () => {
    expect(base(forwarded)).toBe('http://inner:1');
    expect(base(forwarded, { trustForwarded: true })).toBe('https://outer.example');
    expect(base({ host: 'inner:1' }, { trustForwarded: true })).toBe('http://inner:1');
    const odd = { ...forwarded, 'x-forwarded-proto': 'javascript' };
    expect(base(odd, { trustForwarded: true, publicScheme: 'https' })).toBe('https://outer.example');
  });

  it('takes the first of several proxies, and nothing that is no host', () => {
    const several = { ...forwarded, 'x-forwarded-host': 'a.example, b.example' };
    expect(base(several, { trustForwarded: true })).toBe('https://a.example');
    for (const odd of ['a/b', 'a"b', '', 'a b', 'a@b']) {
      expect(base({ host: 'inner:1', 'x-forwarded-host': odd }, { trustForwarded: true })).toBe('http://inner:1');
    }
  });

  it('is PUBLIC_BASE_URL where that is set, whatever was asked', () => {
    const publicBaseUrl = 'https://heddle.example/base/';
    expect(base(forwarded, { publicBaseUrl, trustForwarded: true })).toBe('https://heddle.example/base');
  });
});
