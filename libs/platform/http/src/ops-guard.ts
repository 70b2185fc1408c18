import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isFromOwnSite } from './fetch-site.js';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Why a request to the health port comes from a web page and gets nothing, or null. Programs that watch the process send
 * neither `Origin` nor `Sec-Fetch-Site`; a page that made its own name point to this machine (DNS rebinding) shows in
 * `Host`, which on loopback has to be an address or `localhost`.
 */
export function pageBehind(headers: IncomingHttpHeaders, listensOn: string): string | null {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return 'web pages may not read this';
  // Another site of the same domain is a page of somebody else here.
  if (!isFromOwnSite(site) || /same-site/i.test(String(site))) return 'web pages may not read this';
  if (!LOOPBACK_HOSTS.has(listensOn)) return null;
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || LOOPBACK_HOSTS.has(name) ? null : 'the Host header names another machine';
}
