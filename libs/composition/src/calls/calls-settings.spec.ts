import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { callsAddress, peerAddress } from './calls-settings.js';

const of = (env: Record<string, string>) => readSettings(env);

describe('the address of a replica for other replicas', () => {
  it('is that of the settings', () => {
    expect(peerAddress(of({ HEDDLE_CALLS_HOST: '192.0.2.7' }))).toBe('http://192.0.2.7:8290');
    expect(peerAddress(of({ HEDDLE_CALLS_HOST: '0.0.0.0', HEDDLE_CALLS_ADDRESS: 'https://jobs-1:8290' }))).toBe(
      'https://jobs-1:8290',
    );
    expect(callsAddress(of({ HEDDLE_CALLS_HOST: '2001:db8::7' }))).toBe('http://[2001:db8::7]:8290');
  });

  it.each([
    [{ HEDDLE_CALLS_HOST: '0.0.0.0' }, 'http://0.0.0.0:8290'],
    [{ HEDDLE_CALLS_HOST: '::' }, 'http://[::]:8290'],
    [{ HEDDLE_CALLS_ADDRESS: 'http://[::]:8290' }, 'http://[::]:8290'],
  ])('is refused as a wildcard: %j', (env: Record<string, string>, address) => {
    expect(() => peerAddress(of(env))).toThrow(
      `other replicas cannot call ${address}: set HEDDLE_CALLS_ADDRESS to the URL of this replica, for example http://10.0.0.7:8290`,
    );
  });
});
