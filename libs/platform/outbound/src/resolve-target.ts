import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { NameServers } from './name-servers.js';
import type { NameQuery } from './name-servers.js';
import { isPublicAddress } from './public-address.js';
import { TargetRefusedError } from './target-fault.js';
import { addressLiteral } from './target-url.js';
import type { TargetRules } from './target-url.js';

/** How a host is found and trusted; specs reach a server of their own with others. */
export interface Network {
  /** Every address of a host name; none: it has none, or no name server answered in time. */
  resolve(host: string, query: NameQuery): Promise<readonly string[]>;
  /** Certificates, PEM; absent: those that Node.js trusts. */
  readonly ca?: string;
}

export const INTERNET: Network = new NameServers();

/**
 * The addresses of a target, each of them checked: a single one that is not public refuses the target, since the next call could
 * meet it.
 */
export async function resolveTarget(
  url: URL,
  { allowed }: TargetRules,
  network: Network,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const literal = addressLiteral(url);
  const isExempt = allowed.has(url);
  const addresses = literal === null ? await network.resolve(url.hostname, { isExempt, signal }) : [literal];
  if (addresses.length === 0) throw new Error('the host has no address');
  if (!isExempt && !addresses.every(isPublicAddress)) throw new TargetRefusedError('resolved_address');
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
