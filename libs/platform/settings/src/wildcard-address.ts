/** Wildcard addresses, with the loopback address that reaches them */
const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::ffff:0:0]', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** The loopback address for a wildcard host; null for any other host. */
export function loopbackOf(host: string): string | null {
  const url = `http://${bracketed(host)}`;
  // The URL parser normalizes addresses: `0` and `::0` are wildcards too.
  return URL.canParse(url) ? (WILDCARDS.get(new URL(url).hostname) ?? null) : null;
}

export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
