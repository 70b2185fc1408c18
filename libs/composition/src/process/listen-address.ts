import { networkInterfaces } from 'node:os';
import { answeredHosts } from '@heddle/gateway/settings';
import { bracketed, isLoopback, LOOPBACK_HOSTS, loopbackOf } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

type Listening = Pick<Settings, 'host' | 'allowedHosts'>;

/** The URL at which this machine reaches a listen host: loopback if it listens on every address. */
export function urlOf(host: string, port: number): string {
  return `http://${loopbackOf(host) ?? bracketed(host)}:${port}`;
}

/** Lines for an operator who listens beyond loopback: where others reach it, and which setting admits them. */
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
    `only requests to the hosts ${[...LOOPBACK_HOSTS, ...answered].join(', ')} are answered; ` +
      `HEDDLE_ALLOWED_HOSTS adds others${example}`,
  ];
}

/** Addresses at which other machines reach a listen host; none for loopback. */
export function otherAddresses(host: string): readonly string[] {
  if (isLoopback(host)) return [];
  return loopbackOf(host) !== null ? ownAddresses(host.includes(':')) : [bracketed(host)];
}

/**
 * Addresses of this machine that others can use: 0.0.0.0 accepts only IPv4, and a link-local address would need the
 * caller's zone.
 */
function ownAddresses(withIpv6: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .filter(({ family }) => withIpv6 || family === 'IPv4')
    .map(({ address }) => bracketed(address));
}
