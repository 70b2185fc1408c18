import { answeredHosts } from '@heddle/gateway/settings';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { openAddressLines, urlOf } from './listen-address.js';

describe('where a service listens', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8189'],
    ['localhost', 'http://localhost:8189'],
    ['::1', 'http://[::1]:8189'],
    ['192.0.2.7', 'http://192.0.2.7:8189'],
    ['fd00::7', 'http://[fd00::7]:8189'],
    ['heddle.lan', 'http://heddle.lan:8189'],
    ['0.0.0.0', 'http://127.0.0.1:8189'],
    ['0', 'http://127.0.0.1:8189'],
    ['::ffff:0.0.0.0', 'http://127.0.0.1:8189'],
    ['::', 'http://[::1]:8189'],
    ['::0', 'http://[::1]:8189'],
  ])('on %s, this machine reaches it at %s', (host, url) => expect(urlOf(host, 8189)).toBe(url));

  it('answers to the one address that it listens on, and never to one that stands for all', () => {
    const allowedHosts = ['heddle.lan'];
    expect(answeredHosts({ host: 'FD00::7', allowedHosts })).toEqual(['heddle.lan', '[fd00::7]']);
    for (const host of ['0.0.0.0', '0', '::', '::0'])
      expect(answeredHosts({ host, allowedHosts })).toEqual(allowedHosts);
  });

  it('names addresses of IPv4 alone where it listens on those alone', () => {
    const text = openAddressLines({ host: '0.0.0.0', allowedHosts: [] }, 8189).join('\n');
    expect(text.replace('[::1]', '')).not.toContain('[');
  });

  it.each(['0.0.0.0', '[::]', '::', '0', '0x0', '00.0.0.0', '[::0]', '::ffff:0.0.0.0', '0.0.0.0:8189', '[::]:8189'])(
    'is never asked for as %s, however settings write it',
    (entry) => {
      expect(() => readSettings({ HEDDLE_ALLOWED_HOSTS: `heddle.lan,${entry}` })).toThrow(
        /HEDDLE_ALLOWED_HOSTS lists .+, a wildcard address/,
      );
    },
  );

  it('may be asked for by any one name or address', () => {
    const listed = ['heddle.lan', '192.0.2.7', '[fd00::7]', '10.0.0.0', '0.example'];
    expect(readSettings({ HEDDLE_ALLOWED_HOSTS: listed.join(',') }).allowedHosts).toEqual(listed);
  });

  it('says nothing of loopback, and proposes no host that is answered already', () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect(openAddressLines({ host, allowedHosts: [] }, 8189)).toEqual([]);
    expect(openAddressLines({ host: '192.0.2.7', allowedHosts: ['heddle.lan'] }, 8189)).toEqual([
      'reachable from other machines at http://192.0.2.7:8189',
      'only requests to the hosts 127.0.0.1, localhost, [::1], heddle.lan, 192.0.2.7 are answered; HEDDLE_ALLOWED_HOSTS adds others',
    ]);
  });
});
