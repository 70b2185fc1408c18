import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { refusePlainListener, refusePlainTargets } from './plain-calls.js';

const BOTH_SETTINGS = /HEDDLE_CALLS_TLS_CERT.*HEDDLE_CALLS_PLAIN=true/;
const listen = (env: Record<string, string>) => () => refusePlainListener(readSettings(env));
const call =
  (url: string, env: Record<string, string> = {}) =>
  () =>
    refusePlainTargets(readSettings(env), 'HEDDLE_JOBS_URLS', ['http://127.0.0.1:8290', url]);

describe('calls without encryption', () => {
  it.each(['127.0.0.1', '127.0.0.53', 'localhost', '::1'])('are taken on loopback: %s', (host) => {
    expect(listen({ HEDDLE_CALLS_HOST: host })).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.0.2.7', 'jobs.internal'])('are not taken beyond: %s', (host) => {
    expect(listen({ HEDDLE_CALLS_HOST: host })).toThrow(`HEDDLE_CALLS_HOST ${host} leaves this machine`);
    expect(listen({ HEDDLE_CALLS_HOST: host })).toThrow(BOTH_SETTINGS);
    expect(listen({ HEDDLE_CALLS_HOST: host, HEDDLE_CALLS_PLAIN: 'true' })).not.toThrow();
    expect(listen({ HEDDLE_CALLS_HOST: host, HEDDLE_CALLS_TLS_CERT: '/cert.pem' })).not.toThrow();
  });

  it('are not announced to others either', () => {
    expect(listen({ HEDDLE_CALLS_ADDRESS: 'http://jobs-2:8290' })).toThrow('HEDDLE_CALLS_ADDRESS http://jobs-2:8290');
  });

  it.each(['http://localhost:1', 'http://[::1]:1', 'https://jobs:8290', 'https://192.0.2.7:8290'])(
    'are not what a call of %s is',
    (url) => {
      expect(call(url)).not.toThrow();
    },
  );

  it.each(['http://jobs:8290', 'http://192.0.2.7:8290', 'http://[fd00::7]:8290', 'http://127.0.0.1.example:1'])(
    'are not made beyond loopback: %s',
    (url) => {
      expect(call(url)).toThrow(`HEDDLE_JOBS_URLS ${url} leaves this machine`);
      expect(call(url)).toThrow(BOTH_SETTINGS);
      expect(call(url, { HEDDLE_CALLS_PLAIN: 'true' })).not.toThrow();
    },
  );

  it('refuse an address that is none by its setting', () => {
    expect(call('jobs:8290/')).not.toThrow('leaves this machine');
    expect(call('nowhere')).toThrow('HEDDLE_JOBS_URLS must list URLs such as https://jobs:8290, not "nowhere"');
  });
});
