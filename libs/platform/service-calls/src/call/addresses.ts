import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** How long the addresses of a name are cached */
export const NAMES_MS = 5_000;
export const MAX_ADDRESSES = 256;

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Parses the address of one process, or of several under one name, for example `http://jobs:8290`. */
export function originOf(service: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Error(`'${text}' is not an address of the ${service} service: it must be like http://${service}:7000`);
  }
  return url;
}

export function hostPortIn({ protocol, hostname, port }: URL): HostPort {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** The addresses of a name; empty while no name server knows it. */
export async function addressesOf({ host, port }: HostPort): Promise<readonly HostPort[]> {
  if (isIP(host) !== 0) return [{ host, port }];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => ({ host: address, port }));
}
