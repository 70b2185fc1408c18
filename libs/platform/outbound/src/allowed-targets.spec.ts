import { describe, expect, it } from 'vitest';
import { AllowedTargets } from './allowed-targets.js';
import { targetFault } from './target-url.js';

const allowed = AllowedTargets.parse(['hooks.LAN:8080', '127.0.0.1:9000', '[0::1]:80', 'registry.example.com:443'])!;
const fault = (url: string) => targetFault(url, { schemes: ['https:'], allowed, ownHosts: ['registry.example.com'] });

describe('a target that the operator allows', () => {
  it.each([
    'http://hooks.lan:8080/x',
    'https://hooks.lan:8080/x',
    'http://hooks.lan.:8080/x',
    'http://127.0.0.1:9000/',
    'http://127.1:9000/',
    'http://[::1]/',
    'https://registry.example.com/',
  ])('is exempt as %s', (url) => {
    expect(fault(url)).toBeNull();
  });

  it.each([
    ['http://hooks.lan/', 'scheme'],
    ['https://hooks.lan:8081/', 'local_name'],
    ['https://127.0.0.1:9001/', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['http://user@hooks.lan:8080/', 'user_info'],
    ['ftp://hooks.lan:8080/', 'scheme'],
    ['http://hooks.lan:8080/\n', 'character'],
  ])('is that host with that port alone: %s', (url, expected) => {
    expect(fault(url)).toBe(expected);
  });

  it.each([
    'hooks.lan',
    'http://hooks.lan:80',
    'hooks.lan:0',
    'hooks.lan:65536',
    ':80',
    'a b:80',
    'u@h:80',
    'h:80/x',
    '::1:80',
  ])('%j is no entry', (entry) => {
    expect(AllowedTargets.parse([entry])).toBeNull();
  });
});
