const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const MAX_PORT = 65_535;

/** Targets that an operator exempts from the rules, as `host:port`, such as a receiver in the same network. */
export class AllowedTargets {
  readonly #targets: ReadonlySet<string>;

  private constructor(targets: readonly string[]) {
    this.#targets = new Set(targets);
  }

  static readonly NONE = new AllowedTargets([]);

  /** Null: an entry is not `host:port`. */
  static parse(entries: readonly string[]): AllowedTargets | null {
    const targets = entries.map(targetOf);
    return targets.includes(null) ? null : new AllowedTargets(targets as string[]);
  }

  has({ protocol, hostname, port }: URL): boolean {
    return this.#targets.has(`${withoutDot(hostname)}:${port === '' ? DEFAULT_PORTS[protocol] : port}`);
  }
}

/** A name may end with a dot: it stays the same name. */
export function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

/** The host in the spelling that URLs have after parsing: an entry `[0::1]:80` and a URL with `[::1]` are the same. */
function targetOf(entry: string): string | null {
  const [, host, port] = /^([^/@?#\s\\]+):(\d{1,5})$/.exec(entry) ?? [];
  const url = host === undefined ? null : URL.parse(`http://${host}/`);
  if (url === null || url.port !== '' || Number(port) < 1 || Number(port) > MAX_PORT) return null;
  return `${withoutDot(url.hostname)}:${Number(port)}`;
}
