import { describe, expect, it } from 'vitest';
import { OriginGuard } from './origin-guard.js';

const own = 'http://127.0.0.1:8189';
const host = '127.0.0.1:8189';

describe('the guard of the self-hosted surface (decisions, Web pages of other origins)', () => {
  const guard = new OriginGuard({ allowedHosts: ['Heddle.lan'], corsOrigins: ['https://app.example/'] });
  const check = (given: Partial<Parameters<OriginGuard['check']>[0]>): string =>
    guard.check({ host, origin: undefined, secFetchSite: undefined, ...given })?.code ?? 'in';

  it.each([host, 'localhost:1', 'localhost', '[::1]:8189', '[::1]', 'LOCALHOST:80', 'heddle.lan', 'heddle.lan:443'])(
    'lets the Host %s in',
    (given) => expect(check({ host: given })).toBe('in'),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:8189',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    '127.0.0.1:8189.evil.example',
    '127.0.0.1:8189:1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0:8189',
    'localhost.',
    '127.0.0.1 ',
  ])('keeps the Host %s out', (given) => expect(check({ host: given })).toBe('forbidden_origin'));

  it('compares a Host as text: a name that resolves to loopback is another machine', () => {
    expect(check({ host: 'localtest.me' })).toBe('forbidden_origin');
  });

  it('lets its own origin and the listed ones in, and no other', () => {
    expect(check({ origin: own })).toBe('in');
    expect(check({ origin: 'https://app.example' })).toBe('in');
    for (const origin of ['null', '', 'http://127.0.0.1:1', `${own}.evil.example`, 'http://app.example', 'file://']) {
      expect(check({ origin })).toBe('forbidden_origin');
    }
  });

  it('keeps cross-site requests out, whatever else they say, unless their origin is listed', () => {
    expect(check({ secFetchSite: 'cross-site' })).toBe('forbidden_origin');
    expect(check({ secFetchSite: 'cross-site', origin: own })).toBe('forbidden_origin');
    expect(check({ secFetchSite: 'cross-site', origin: 'https://app.example' })).toBe('in');
    for (const site of ['Cross-Site', 'cross-site ', 'none, cross-site', 'cross-site, none', 'anything']) {
      expect(check({ secFetchSite: site })).toBe('forbidden_origin');
    }
    for (const site of ['same-origin', 'same-site', 'none']) expect(check({ secFetchSite: site })).toBe('in');
  });
});
