// The ruleset of the policies, as `nft -f` reads it: one table, replaced in one transaction.
import { isIPv6 } from 'node:net';
import type { Addresses, Allowance, PolicyChain, Ports } from './policy-chains.ts';

/** Its family and its name */
export const POLICY_TABLE = ['inet', 'heddle-network-policies'] as const;
const TABLE = POLICY_TABLE.join(' ');

/** Removes the table; not an error if it is not there. */
export const WITHOUT_POLICIES = `table ${TABLE}\ndelete table ${TABLE}\n`;

/**
 * Connections between pods are judged when the host forwards them, after kube-proxy has put a pod's address in the place of a
 * Service's. Connections of pods to the host are judged where they come in. Those of the host to pods stay open, for probes.
 */
export function nftRuleset(chains: readonly PolicyChain[]): string {
  const [sent, received] = (['egress', 'ingress'] as const).map((direction) =>
    chains.filter((chain) => chain.direction === direction).map(jumpTo),
  );
  return [
    WITHOUT_POLICIES.trimEnd(),
    `table ${TABLE} {`,
    ...chains.flatMap(chainOf),
    ...hookOf('forward', [...sent!, ...received!]),
    ...hookOf('input', sent!),
    '}',
    '',
  ].join('\n');
}

const hookOf = (hook: string, jumps: readonly string[]): string[] => [
  `  chain ${hook} {`,
  // Before the chains of others, which may accept.
  `    type filter hook ${hook} priority filter - 10; policy accept;`,
  '    ct state established,related accept',
  ...jumps.map((jump) => `    ${jump}`),
  '  }',
];

const nameOf = ({ direction, address }: PolicyChain): string => `${direction}-${address.replaceAll(':', '_')}`;

function jumpTo(chain: PolicyChain): string {
  const side = chain.direction === 'egress' ? 'saddr' : 'daddr';
  return `${family(chain.address)} ${side} ${chain.address} jump ${nameOf(chain)} comment "${chain.pod}"`;
}

/** What is allowed returns, so that the chain of the other end is asked as well. */
function chainOf(chain: PolicyChain): string[] {
  const side = chain.direction === 'egress' ? 'daddr' : 'saddr';
  const rules = new Set(chain.allowances.flatMap((allowance) => rulesOf(allowance, side)));
  return [`  chain ${nameOf(chain)} {`, ...[...rules].map((rule) => `    ${rule}return`), '    drop', '  }'];
}

function rulesOf({ addresses, ports }: Allowance, side: string): string[] {
  const froms = addressMatches(addresses, side);
  const tos = ports.length === 0 ? [''] : ports.map(portMatch);
  return froms.flatMap((from) => tos.map((to) => `${from}${to}`));
}

/** A rule matches addresses of one family. */
function addressMatches(addresses: Addresses, side: string): string[] {
  if (addresses === null) return [''];
  return ['ip', 'ip6'].flatMap((of) => {
    const [within, except] = [addresses.within, addresses.except].map((all) => all.filter((one) => family(one) === of));
    if (within!.length === 0) return [];
    // nft knows no prefix of zero bits.
    const any = within!.some((one) => one.endsWith('/0'));
    const matches = any ? `meta nfproto ${of === 'ip' ? 'ipv4' : 'ipv6'} ` : `${of} ${side} ${setOf(within!)} `;
    return [`${matches}${except!.length === 0 ? '' : `${of} ${side} != ${setOf(except!)} `}`];
  });
}

function portMatch({ protocol, ports }: Ports): string {
  return ports.length === 0 ? `meta l4proto ${protocol} ` : `${protocol} dport ${setOf(ports)} `;
}

const setOf = (items: readonly string[]): string => `{ ${items.join(', ')} }`;

const family = (address: string): string => (isIPv6(address.split('/')[0] ?? '') ? 'ip6' : 'ip');
