import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedTargets } from './allowed-targets.js';
import { pinnedCall } from './pinned-call.js';
import { TargetRefusedError } from './target-fault.js';
import type { TargetFault } from './target-fault.js';
import { targetFault } from './target-url.js';
import type { TargetRules } from './target-url.js';

const RULES: TargetRules = {
  schemes: ['https:'],
  allowed: AllowedTargets.NONE,
  ownHosts: ['registry.example.com', '198.51.100.7'],
};

/** What names resolve to: each name has an address that must not be called. `:PORT` in a URL is the port of a real server. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.com': ['127.0.0.1'],
  'one-of-two.example.com': ['93.184.215.14', '127.0.0.1'],
  'last-of-three.example.com': ['93.184.215.14', '2606:4700::1111', '10.0.0.8'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'six.example.com': ['::1'],
  'unique-local.example.com': ['fd00::1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'zone.example.com': ['fe80::1%lo'],
  'carrier.example.com': ['100.64.0.1'],
  'any.example.com': ['0.0.0.0'],
  'odd.example.com': ['0x7f000001'],
};

const REFUSED: readonly (readonly [string, TargetFault])[] = [
  // Loopback in the spellings that the parser of URLs resolves.
  ['https://127.0.0.1:PORT/', 'private_address'],
  ['https://127.0.0.1.:PORT/', 'private_address'],
  ['https://127.1:PORT/', 'private_address'],
  ['https://127.0.1:PORT/', 'private_address'],
  ['https://2130706433:PORT/', 'private_address'],
  ['https://0x7f000001:PORT/', 'private_address'],
  ['https://0x7f.0.0.1:PORT/', 'private_address'],
  ['https://0X7F.0x0.0x0.0x1:PORT/', 'private_address'],
  ['https://017700000001:PORT/', 'private_address'],
  ['https://0177.0.0.01:PORT/', 'private_address'],
  ['https://0177.0x0.1:PORT/', 'private_address'],
  ['https://127%2e0.0.1:PORT/', 'private_address'],
  ['https://%31%32%37.0.0.1:PORT/', 'private_address'],
  ['https://１２７.０.０.１:PORT/', 'private_address'],
  ['https://127。0。0。1:PORT/', 'private_address'],
  ['https://①②⑦.0.0.1:PORT/', 'private_address'],
  ['https:127.0.0.1:PORT/', 'private_address'],
  ['https:///127.0.0.1:PORT/', 'private_address'],
  ['HTTPS://127.0.0.1:PORT/', 'private_address'],
  ['https://0:PORT/', 'private_address'],
  ['https://0.0.0.0:PORT/', 'private_address'],
  // Other networks that are nobody's on the Internet.
  ['https://10.255.255.255/', 'private_address'],
  ['https://172.16.0.1/', 'private_address'],
  ['https://192.168.0.1/', 'private_address'],
  ['https://169.254.169.254/latest/meta-data/', 'private_address'],
  ['https://0xa9fea9fe/', 'private_address'],
  ['https://2852039166/', 'private_address'],
  ['https://100.64.0.1/', 'private_address'],
  ['https://192.0.2.1/', 'private_address'],
  ['https://198.18.0.1/', 'private_address'],
  ['https://203.0.113.5/', 'private_address'],
  ['https://224.0.0.1/', 'private_address'],
  ['https://255.255.255.255/', 'private_address'],
  // IPv6, and IPv4 inside of it.
  ['https://[::1]:PORT/', 'private_address'],
  ['https://[0:0:0:0:0:0:0:1]:PORT/', 'private_address'],
  ['https://[::]:PORT/', 'private_address'],
  ['https://[::ffff:127.0.0.1]:PORT/', 'private_address'],
  ['https://[::ffff:7f00:1]:PORT/', 'private_address'],
  ['https://[::127.0.0.1]:PORT/', 'private_address'],
  ['https://[::ffff:0:127.0.0.1]/', 'private_address'],
  ['https://[64:ff9b::127.0.0.1]/', 'private_address'],
  ['https://[64:ff9b:1::a00:1]/', 'private_address'],
  ['https://[2002:7f00:1::]/', 'private_address'],
  ['https://[2001:0:7f00:1::]/', 'private_address'],
  ['https://[2001:db8::1]/', 'private_address'],
  ['https://[fc00::1]/', 'private_address'],
  ['https://[fe80::1]/', 'private_address'],
  ['https://[fec0::1]/', 'private_address'],
  ['https://[ff02::1]/', 'private_address'],
  ['https://[fe80::1%25lo]/', 'form'],
  // Names that are local by themselves.
  ['https://localhost:PORT/', 'local_name'],
  ['https://LOCALHOST.:PORT/', 'local_name'],
  ['https://loca\u00adlhost:PORT/', 'local_name'],
  ['https://a.localhost:PORT/', 'local_name'],
  ['https://localhost.localdomain/', 'local_name'],
  ['https://printer.local/', 'local_name'],
  ['https://metadata.google.internal/', 'local_name'],
  ['https://metadata.google.internal./', 'local_name'],
  ['https://router.home.arpa/', 'local_name'],
  ['https://a.lan/', 'local_name'],
  ['https://A.LAN.:PORT/', 'local_name'],
  ['https://hooks.corp/', 'local_name'],
  ['https://hooks.intranet/', 'local_name'],
  ['https://router.home/', 'local_name'],
  ['https://hooks.private/', 'local_name'],
  ['https://hooks.invalid/', 'local_name'],
  ['https://kubernetes/', 'local_name'],
  // Names that lead inside when they are resolved.
  ['https://loopback.example.com:PORT/', 'resolved_address'],
  ['https://loopback.example.com.:PORT/', 'resolved_address'],
  ['https://one-of-two.example.com:PORT/', 'resolved_address'],
  ['https://last-of-three.example.com/', 'resolved_address'],
  ['https://metadata.example.com/', 'resolved_address'],
  ['https://mapped.example.com:PORT/', 'resolved_address'],
  ['https://six.example.com:PORT/', 'resolved_address'],
  ['https://unique-local.example.com/', 'resolved_address'],
  ['https://nat64.example.com/', 'resolved_address'],
  ['https://zone.example.com/', 'resolved_address'],
  ['https://carrier.example.com/', 'resolved_address'],
  ['https://any.example.com:PORT/', 'resolved_address'],
  ['https://odd.example.com:PORT/', 'resolved_address'],
  // Schemes, users, ports.
  ['http://hooks.example.com/', 'scheme'],
  ['ftp://hooks.example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:PORT/_x', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['wss://hooks.example.com/', 'scheme'],
  ['https://user@hooks.example.com/', 'user_info'],
  ['https://user:secret@hooks.example.com/', 'user_info'],
  ['https://hooks.example.com@127.0.0.1:PORT/', 'user_info'],
  ['https://hooks.example.com%40x@127.0.0.1:PORT/', 'user_info'],
  ['https://:@127.0.0.1:PORT/', 'private_address'],
  ['https://hooks.example.com:22/', 'port'],
  ['https://hooks.example.com:0/', 'port'],
  ['https://hooks.example.com:1023/', 'port'],
  ['https://hooks.example.com:65536/', 'form'],
  ['https://registry.example.com/', 'own_host'],
  ['https://REGISTRY.example.com./', 'own_host'],
  ['https://registry.example.com:8443/', 'own_host'],
  ['https://198.51.100.7/', 'own_host'],
  // Characters that parsers read in two ways.
  ['https://hooks.example.com\\@127.0.0.1:PORT/', 'character'],
  ['https:\\\\127.0.0.1:PORT\\', 'character'],
  ['https://hooks.example.com/\r\nHost: 127.0.0.1', 'character'],
  ['https://127.0.\n0.1:PORT/', 'character'],
  ['https://hooks.example.com/\0', 'character'],
  ['https://hooks.example.com/\u007f', 'character'],
  ['https://hooks.example.com/\u0085', 'character'],
  ['\thttps://hooks.example.com/', 'character'],
  ['https://hooks.example.com/ ', 'character'],
  ['https://hooks.example.com/\u2028', 'character'],
  ['https://hooks.example.com/a b', 'character'],
  ['https://hooks.example.com/\ud800', 'character'],
  // No absolute URLs.
  ['', 'form'],
  ['/hooks', 'form'],
  ['//hooks.example.com/', 'form'],
  ['https://', 'form'],
  ['https://?x', 'form'],
  ['https://256.256.256.256/', 'form'],
  ['https://1.2.3.4.5/', 'form'],
  ['https://[::1/', 'form'],
  ['https://exa<mple.com/', 'form'],
  [`https://hooks.example.com/${'x'.repeat(2_048)}`, 'length'],
];

describe('a hostile URL', () => {
  let connections = 0;
  let server: Server;
  const there = (url: string): string => url.replace('PORT', String((server.address() as AddressInfo).port));
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, '::', done));
  });
  afterAll(() => server.close());

  it.each(REFUSED)('%j is refused for its %s, without a connection', async (url, fault) => {
    const resolve = (host: string) => Promise.resolve(NAMES[host.replace(/\.$/, '')] ?? []);
    const call = { url: there(url), method: 'POST', headers: {}, timeoutMs: 5_000, maxBytes: 100 } as const;
    const refusal: unknown = await pinnedCall(call, RULES, { resolve }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TargetRefusedError);
    expect((refusal as TargetRefusedError).fault).toBe(fault);
    expect(targetFault(there(url), RULES)).toBe(fault === 'resolved_address' ? null : fault);
    expect(connections).toBe(0);
  });

  it('is one of more than a hundred', () => {
    expect(REFUSED.length).toBeGreaterThan(100);
  });
});

describe('a URL', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com./x',
    'https://hooks.example.com:443/a?b=c#d',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:1024/',
    'https://hooks.example.com:65535/',
    'https://93.184.215.14/',
    'https://[2606:4700::1111]/',
    'https://xn--bcher-kva.example/%20',
    `https://hooks.example.com/${'x'.repeat(2_048 - 26)}`,
  ])('%j is permitted', (url) => {
    expect(targetFault(url, RULES)).toBeNull();
  });

  it('with http is permitted where the rules say so', () => {
    expect(targetFault('http://pictures.example.com/1.png', { ...RULES, schemes: ['http:', 'https:'] })).toBeNull();
  });
});
