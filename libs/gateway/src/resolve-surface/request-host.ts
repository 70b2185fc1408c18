import type { IncomingHttpHeaders } from 'node:http';

/** The host and port that the client called. A proxy's header counts only if the operator trusts the proxy. */
export function requestHost(
  headers: IncomingHttpHeaders,
  { trustForwarded }: { readonly trustForwarded: boolean },
): string {
  const { host = '127.0.0.1' } = headers;
  return trustForwarded ? (forwarded(headers['x-forwarded-host']) ?? host) : host;
}

/** The first value of a proxy's header, if it may stand in a URL. */
export function forwarded(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header[0] : header?.split(',')[0]?.trim();
  return value !== undefined && /^[A-Za-z0-9.\-:[\]]+$/.test(value) ? value : undefined;
}

/** A name or an IPv6 address, with or without a port. No other value of `Host` may appear in a link. */
const HOST = /^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])(:\d*)?$/i;

export function isHost(host: string): boolean {
  return HOST.test(host);
}

/** A host's name alone: without port and last dot, in lower case. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
