import dns from 'node:dns';

/** Stands for a line in /etc/hosts: names below `localhost` lead to this machine. Returns what ends that. */
export function namesBelowLocalhost(): () => void {
  const { lookup } = dns;
  const local = (name: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest]);
  dns.lookup = Object.assign(local, lookup) as typeof lookup;
  return () => {
    dns.lookup = lookup;
  };
}
