import { describe, expect, it } from 'vitest';
import { PartnerProxySettings } from '../settings.js';
import { CallbackAddresses } from './callback-addresses.js';

const PORT = 8188;
const addressOf = (url: string, changes: Partial<PartnerProxySettings> = {}): string | null =>
  new CallbackAddresses(new PartnerProxySettings(changes)).of({ url, port: PORT }, 'video', 'ab');

describe('the callback URL of a vendor', () => {
  it('begins with the address that the operator set, whatever host was asked', () => {
    const publicUrl = 'https://registry.example.com';
    const own = 'https://registry.example.com/proxy/videovendor/callbacks/ab';
    expect(addressOf('http://evil.example.com', { publicUrl })).toBe(own);
    expect(addressOf('http://127.0.0.1:8188/registry', { publicUrl })).toBe(own);
  });

  it.each(['http://127.0.0.1:8188/registry', 'http://localhost:8188', 'http://[::1]:8188'])(
    'begins with this machine at the own port: %s',
    (url) => {
      expect(addressOf(url)).toBe(`${url}/proxy/videovendor/callbacks/ab`);
    },
  );

  it('begins with a host that the operator named', () => {
    const callbackHosts = ['api.example.com'];
    const expected = 'https://api.example.com/registry/proxy/videovendor/callbacks/ab';
    expect(addressOf('https://api.example.com/registry', { callbackHosts })).toBe(expected);
  });

  it.each([
    'http://evil.example.com/registry',
    'http://evil.example.com:8188',
    'http://127.0.0.1:5432/registry',
    'http://localhost',
    'https://localhost:443',
    'http://169.254.169.254',
    'http://[::1]:22',
    '',
  ])('is none for another host or port: %j', (url) => {
    expect(addressOf(url, { callbackHosts: ['api.example.com'] })).toBeNull();
  });
});
