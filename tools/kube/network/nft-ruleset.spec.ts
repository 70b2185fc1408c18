import { describe, expect, it } from 'vitest';
import { nftRuleset } from './nft-ruleset.ts';
import type { Allowance, PolicyChain } from './policy-chains.ts';

const chain = (changes: Partial<PolicyChain>): PolicyChain => ({
  pod: 'a/one',
  address: '10.0.0.1',
  direction: 'ingress',
  allowances: [],
  ...changes,
});

/** Lines of one chain */
function linesOf(name: string, chains: PolicyChain[]): string[] {
  const text = nftRuleset(chains);
  const body = new RegExp(`chain ${name.replaceAll('.', '\\.')} \\{\n([^}]*)\n  \\}`).exec(
    text.replaceAll(/\{ ([^}\n]*) \}/g, '<$1>'),
  );
  return (body?.[1] ?? '').split('\n').map((line) => line.trim());
}

const rule = (allowance: Partial<Allowance>): string | undefined =>
  linesOf('ingress-10.0.0.1', [chain({ allowances: [{ addresses: null, ports: [], ...allowance }] })])[0];

describe('the ruleset', () => {
  it('replaces the table in one transaction', () => {
    expect(nftRuleset([]).split('\n').slice(0, 3)).toEqual([
      'table inet heddle-network-policies',
      'delete table inet heddle-network-policies',
      'table inet heddle-network-policies {',
    ]);
  });

  it('lets answers through before anything else', () => {
    for (const hook of ['forward', 'input'])
      expect(linesOf(hook, [])).toEqual([
        `type filter hook ${hook} priority filter - 10; policy accept;`,
        'ct state established,related accept',
      ]);
  });

  it('asks the chain of the sender, then that of the receiver; connections to the host that of the sender', () => {
    const chains = [chain({}), chain({ direction: 'egress', address: '10.0.0.2', pod: 'a/two' })];
    const sent = 'ip saddr 10.0.0.2 jump egress-10.0.0.2 comment "a/two"';
    const received = 'ip daddr 10.0.0.1 jump ingress-10.0.0.1 comment "a/one"';
    expect(linesOf('forward', chains).slice(2)).toEqual([sent, received]);
    expect(linesOf('input', chains).slice(2)).toEqual([sent]);
  });

  it('drops what no rule returns', () => {
    expect(linesOf('ingress-10.0.0.1', [chain({})])).toEqual(['drop']);
  });

  it.each<[Partial<Allowance>, string]>([
    [{}, 'return'],
    [{ ports: [{ protocol: 'udp', ports: [] }] }, 'meta l4proto udp return'],
    [{ ports: [{ protocol: 'tcp', ports: ['1', '5-9'] }] }, 'tcp dport <1, 5-9> return'],
    [{ addresses: { within: ['10.0.0.7'], except: [] } }, 'ip saddr <10.0.0.7> return'],
    [
      { addresses: { within: ['10.0.0.0/8'], except: ['10.1.0.0/16', '10.2.0.0/16'] } },
      'ip saddr <10.0.0.0/8> ip saddr != <10.1.0.0/16, 10.2.0.0/16> return',
    ],
    [{ addresses: { within: ['0.0.0.0/0'], except: [] } }, 'meta nfproto ipv4 return'],
    [{ addresses: { within: ['fd00::7'], except: [] } }, 'ip6 saddr <fd00::7> return'],
  ])('writes %j as a rule', (allowance, expected) => {
    expect(rule(allowance)).toBe(expected);
  });

  it('knows pods by addresses of both families', () => {
    const lines = linesOf('forward', [chain({ address: 'fd00::1' })]);
    expect(lines.at(-1)).toBe('ip6 daddr fd00::1 jump ingress-fd00__1 comment "a/one"');
  });
});
