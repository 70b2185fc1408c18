import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newBlobKey } from '../blob-store.js';
import { TargetSigner } from './target-signer.js';
import { endOf, urlLife } from './url-life.js';

const NOW = new Date('2026-01-31T23:59:30.400Z');
const old = { id: 'old', secret: createSecretKey(randomBytes(32)) };
const current = { id: 'new-1.b', secret: createSecretKey(randomBytes(32)) };
const key = newBlobKey();
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('a signed target of an object', () => {
  const signer = new TargetSigner([old, current]);
  const target = signer.sign(key, 'a/b c+ü~.png', urlLife(NOW, 600, null));

  it('names its object, its file and its life, in characters that nobody rewrites', () => {
    expect(signer.verify(target, NOW)).toEqual({ key, fileName: 'b c+ü~.png' });
    const { pathname, search, searchParams } = new URL(target, 'http://heddle.test');
    expect(pathname + search).toBe(target);
    expect(pathname).toBe(`/api/v2/signed/${key}`);
    expect(searchParams.get('X-Goog-Date')).toBe('20260131T235930Z');
    expect(searchParams.get('X-Goog-Expires')).toBe('600');
    expect(target).toMatch(/^[\w/?&=.-]+$/);
  });

  it('is good until its end, to the instant', () => {
    const end = endOf(urlLife(NOW, 600, null));
    expect(end.toISOString()).toBe('2026-02-01T00:09:30.000Z');
    expect(signer.verify(target, end)).not.toBeNull();
    expect(signer.verify(target, new Date(end.getTime() + 1))).toBeNull();
  });

  it('is refused with any character changed, added or left out', () => {
    for (let at = 0; at < target.length; at += 1) {
      for (const put of ['', 'A', '0', '-', '=', '&', '%41', `${target[at]}${target[at]}`]) {
        const forged = target.slice(0, at) + put + target.slice(at + 1);
        if (forged !== target) expect([forged, signer.verify(forged, NOW)]).toEqual([forged, null]);
      }
    }
  });

  it('is refused in another writing of the same bytes of its signature', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = alphabet[alphabet.indexOf(target.at(-1)!) ^ 1]!;
    const forged = target.slice(0, -1) + same;
    const bytes = (text: string) => Buffer.from(text.slice(-43), 'base64url');
    expect(bytes(forged)).toEqual(bytes(target));
    expect(signer.verify(forged, NOW)).toBeNull();
    expect(signer.verify(`${target}=`, NOW)).toBeNull();
  });

  it('is refused with parameters added, repeated, reordered or encoded otherwise', () => {
    const [path, query] = target.split('?') as [string, string];
    const parameters = query.split('&');
    for (const forged of [
      `${target}&a=1`,
      `${target}&`,
      `${target}#a`,
      `${path}?a=1&${query}`,
      `${path}?${parameters.toReversed().join('&')}`,
      ...parameters.map((one) => `${target}&${one}`),
      ...parameters.map((one) => `${path}?${one}&${query}`),
      ...parameters.map((one) => target.replace(one, one.replace('=', '%3D'))),
      target.replace('X-Goog', 'x-goog'),
      target.replace('=600&', '=6000&'),
      target.replace('=600&', '=0600&'),
      target.replace('=600&', `=600${'0'.repeat(10_000)}&`),
      `http://heddle.test${target}`,
      target.replace('/signed/', '/signed//'),
      path,
      '',
    ]) {
      expect(signer.verify(forged, NOW)).toBeNull();
    }
  });

  it('is refused with a key that is not known, or that signed under the name of another', () => {
    expect(new TargetSigner([old]).verify(target, NOW)).toBeNull();
    const renamed = new TargetSigner([{ ...old, id: current.id }]);
    expect(renamed.verify(target, NOW)).toBeNull();
    const text = target.slice(0, target.indexOf('&signature=')).replace(current.id, 'nobody');
    const signed = `${text}&signature=${createHmac('sha256', current.secret).update(text).digest('base64url')}`;
    expect(signer.verify(signed, NOW)).toBeNull();
  });

  it('stays good while its key is still listed, and the last key signs', () => {
    const before = new TargetSigner([old]).sign(key, 'a', urlLife(NOW, 60, null));
    expect(signer.verify(before, NOW)).toEqual({ key, fileName: 'a' });
    expect(target).toContain(`&key=${current.id}&`);
  });

  it('fits into a request target with the longest names, which keep their extension', () => {
    const long = signer.sign(key, `${'名'.repeat(5_000)}.safetensors`, urlLife(NOW, 604_800, null));
    expect(long.length).toBeLessThan(2_000);
    const { fileName } = signer.verify(long, NOW)!;
    expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(1_024);
    expect(fileName).toMatch(/^名+\.safetensors$/u);
  });
});

describe('the life of a signed URL', () => {
  it('ends with the asset where that is earlier', () => {
    expect(endOf(urlLife(NOW, 600, after(60_000))).toISOString()).toBe('2026-02-01T00:00:30.000Z');
    expect(endOf(urlLife(NOW, 600, after(6_000_000)))).toEqual(endOf(urlLife(NOW, 600, null)));
  });

  it('is over at once for an asset that ends in this second', () => {
    for (const ms of [100, 0, -1, -3_600_000]) {
      const life = urlLife(NOW, 600, after(ms));
      expect(life.seconds).toBe(1);
      expect(endOf(life).getTime()).toBeLessThanOrEqual(NOW.getTime());
    }
  });
});
