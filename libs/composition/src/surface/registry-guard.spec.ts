import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { assertRegistryUrl } from './registry-guard.js';

const check = (env: Readonly<Record<string, string>>): void => assertRegistryUrl(readSettings(env));

describe('the public URL of the registry', () => {
  it.each([
    ['managed', { HEDDLE_MANAGED_HOSTS: 'api.example.com' }],
    ['dedicated', { HEDDLE_DEPLOYMENT_HOST: 'run.example.com' }],
  ])('must be set on %s where other machines reach the service', (surface, hosts) => {
    const open = { HEDDLE_SURFACE: surface, HEDDLE_HOST: '0.0.0.0', ...hosts };
    expect(() => check(open)).toThrow('HEDDLE_REGISTRY_PUBLIC_URL is unset: set it to the address');
    expect(() => check({ ...open, HEDDLE_REGISTRY_PUBLIC_URL: 'https://registry.example.com' })).not.toThrow();
    expect(() => check({ HEDDLE_SURFACE: surface })).not.toThrow();
  });

  it('must be a URL', () => {
    expect(() => check({ HEDDLE_REGISTRY_PUBLIC_URL: 'registry' })).toThrow('must be a URL such as https://');
  });

  it('may be unset on self-hosted, where the Host header is checked', () => {
    const env = { HEDDLE_HOST: '0.0.0.0', HEDDLE_STATIC_TOKEN: 'a-token-that-is-long-enough' };
    expect(() => check(env)).not.toThrow();
  });
});
