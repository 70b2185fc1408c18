import { isIP } from 'node:net';
import { isFromOwnSite } from '@heddle/platform-http/fetch-site';

/**
 * True if a web page of another origin sends the request: a browser sends the page's `Origin`, whose host and port must
 * match the request's (engine.md 1). `Sec-Fetch-Site` decides if `Origin` is missing.
 */
export function isForeignPage(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { host, origin } = headers;
  if (!isFromOwnSite(headers['sec-fetch-site'])) return true;
  if (typeof host !== 'string' || typeof origin !== 'string') return false;
  const asked = hostAndPort(`http://${host}`);
  const page = hostAndPort(origin);
  if (asked === null || !isLoopbackName(asked.name)) return false;
  if (page === null) return true;
  return page.name !== asked.name || (page.port !== asked.port && page.port !== '' && asked.port !== '');
}

function hostAndPort(url: string): { name: string; port: string } | null {
  try {
    const { hostname, port } = new URL(url);
    return { name: hostname.toLowerCase(), port };
  } catch {
    return null;
  }
}

function isLoopbackName(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '');
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}
