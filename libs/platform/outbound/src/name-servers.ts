import { lookup, Resolver } from 'node:dns/promises';

/** Of one try, and tries: a name server that is slower is as good as away. */
const TRY_MS = 1_500;
const TRIES = 2;

export interface NameQuery {
  /** The operator named the host: its name may stand in the hosts file, or in a search domain. */
  readonly isExempt: boolean;
  readonly signal: AbortSignal;
}

/**
 * Every address of a name. Names that clients write are asked of the name servers over sockets: `getaddrinfo` would hold one of
 * the few threads of the process for each slow name server, and four of them would stop files and every other look-up.
 */
export class NameServers {
  /** `servers`: `address:port`; absent: those of the system. */
  constructor(private readonly servers: readonly string[] | null = null) {}

  async resolve(host: string, { isExempt, signal }: NameQuery): Promise<readonly string[]> {
    if (isExempt) return (await lookup(host, { all: true })).map(({ address }) => address);
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (this.servers !== null) resolver.setServers(this.servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}
