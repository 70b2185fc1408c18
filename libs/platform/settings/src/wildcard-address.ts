/** What listens on every address, and where this machine reaches it. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::ffff:0:0]', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** Loopback for a host that stands for every address; null where it is one address. */
export function loopbackOf(host: string): string | null {
  const url = `http://${bracketed(host)}`;
  // The URL parser knows every way to write an address: `0` and `::0` are wildcards too.
  return URL.canParse(url) ? (WILDCARDS.get(new URL(url).hostname) ?? null) : null;
}

export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
