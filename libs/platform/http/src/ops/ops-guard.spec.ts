import { describe, expect, it } from 'vitest';
import { pageBehind } from './ops-guard.js';

describe('who may read the health port', () => {
  it.each(['127.0.0.1:9189', 'localhost:9189', '[::1]:9189', '[::1]', '10.0.0.7:9189', 'LOCALHOST'])(
    'lets a program in that calls it %s',
    (host) => expect(pageBehind({ host }, '127.0.0.1')).toBeNull(),
  );

  it.each(['evil.example', 'evil.example:9189', '127.0.0.1.evil.example', '', 'localhost.evil.example'])(
    'keeps the name %j out on loopback: it may be a page whose name points here',
    (host) => expect(pageBehind({ host }, '127.0.0.1')).not.toBeNull(),
  );

  it('takes any name where it listens for other machines: a cluster has names of its own', () => {
    expect(pageBehind({ host: 'heddle-gateway.svc:9189' }, '0.0.0.0')).toBeNull();
  });

  it('keeps pages out wherever it listens', () => {
    const host = '127.0.0.1:9189';
    for (const listensOn of ['127.0.0.1', '0.0.0.0']) {
      expect(pageBehind({ host, origin: 'http://127.0.0.1:9189' }, listensOn)).not.toBeNull();
      for (const site of ['cross-site', 'same-site']) {
        expect(pageBehind({ host, 'sec-fetch-site': site }, listensOn)).not.toBeNull();
      }
      expect(pageBehind({ host, 'sec-fetch-site': 'none' }, listensOn)).toBeNull();
    }
  });
});
