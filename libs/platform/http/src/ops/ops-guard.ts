import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isFromOwnSite } from '../origin/fetch-site.js';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Why a request to the health port is refused as coming from a web page, or null. Monitoring programs send neither
 * `Origin` nor `Sec-Fetch-Site`. A page whose host name resolves to this machine (DNS rebinding) is detected by `Host`,
 * which on loopback must be an address or `localhost`.
 */
export function pageBehind(headers: IncomingHttpHeaders, listensOn: string): string | null {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return 'web pages may not read this';
  // Another site of the same domain belongs to somebody else here.
  if (!isFromOwnSite(site) || /same-site/i.test(String(site))) return 'web pages may not read this';
  if (!LOOPBACK_HOSTS.has(listensOn)) return null;
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || LOOPBACK_HOSTS.has(name) ? null : 'the Host header names another machine';
}
