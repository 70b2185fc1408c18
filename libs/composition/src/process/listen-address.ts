import { networkInterfaces } from 'node:os';
import { answeredHosts } from '@heddle/gateway/settings';
import { bracketed, loopbackOf } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';
import { isLoopback } from '../settings/settings.js';

type Listening = Pick<Settings, 'host' | 'allowedHosts'>;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** The URL by which this machine reaches what listens on a host: loopback where it listens on every address. */
export function urlOf(host: string, port: number): string {
  return `http://${loopbackOf(host) ?? bracketed(host)}:${port}`;
}

/** What a person has to know who listens beyond loopback, in lines: where others reach it, and which setting lets them in. */
export function openAddressLines(settings: Listening, port: number): readonly string[] {
  const { host } = settings;
  if (isLoopback(host)) return [];
  const reached = otherAddresses(host);
  const answered = answeredHosts(settings);
  const missing = reached.filter((address) => !answered.includes(address.toLowerCase()));
  const example = missing.length === 0 ? '' : `, for example HEDDLE_ALLOWED_HOSTS=${missing.join(',')}`;
  return [
    ...(reached.length === 0
      ? []
      : [`reachable from other machines at ${reached.map((name) => `http://${name}:${port}`).join(', ')}`]),
    `only requests to the hosts ${[...LOOPBACK, ...answered].join(', ')} are answered; ` +
      `HEDDLE_ALLOWED_HOSTS adds others${example}`,
  ];
}

/** The addresses by which other machines reach what listens on a host; none for loopback. */
export function otherAddresses(host: string): readonly string[] {
  if (isLoopback(host)) return [];
  return loopbackOf(host) !== null ? ownAddresses(host.includes(':')) : [bracketed(host)];
}

/** Addresses of this machine that others can use: a socket of 0.0.0.0 takes IPv4 alone, and a link-local one would need the zone of the caller. */
function ownAddresses(withIpv6: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .filter(({ family }) => withIpv6 || family === 'IPv4')
    .map(({ address }) => bracketed(address));
}
