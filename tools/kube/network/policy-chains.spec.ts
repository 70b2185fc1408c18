import { describe, expect, it } from 'vitest';
import type { NetworkNamespace, NetworkPod, NetworkPolicy, PolicyPeer, PolicyRule } from './network-objects.ts';
import { dnsPod, policyChains, type Allowance, type Direction } from './policy-chains.ts';

const PORTS = [
  { name: 'calls', containerPort: 8290 },
  { name: 'notices', containerPort: 8290, protocol: 'UDP' },
];
const pod = (name: string, ip: string, more: Partial<NetworkPod['metadata']> = {}): NetworkPod => ({
  metadata: { name, namespace: 'a', labels: { app: name }, ...more },
  spec: { containers: [{ ports: PORTS }] },
  status: { phase: 'Running', podIPs: [{ ip }] },
});
const PODS = [
  pod('caller', '10.0.0.1'),
  pod('called', '10.0.0.2'),
  pod('stranger', '10.0.0.3', { namespace: 'b', labels: { app: 'caller' } }),
  dnsPod('10.0.0.254'),
];
const NAMESPACES: NetworkNamespace[] = [
  { metadata: { name: 'a' } },
  { metadata: { name: 'b', labels: { team: 'b' } } },
  { metadata: { name: 'kube-system', labels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
];

const policy = (spec: Partial<NetworkPolicy['spec']>): NetworkPolicy => ({
  metadata: { name: 'p', namespace: 'a' },
  spec: { podSelector: { matchLabels: { app: 'called' } }, ...spec },
});
const chainsOf = (policies: NetworkPolicy[], pods = PODS) => policyChains({ policies, pods, namespaces: NAMESPACES });
/** What a rule allows to the pod `called`. */
function allowed(direction: Direction, rule: PolicyRule): readonly Allowance[] {
  const type = direction === 'ingress' ? 'Ingress' : 'Egress';
  return chainsOf([policy({ policyTypes: [type], [direction]: [rule] })])[0]!.allowances;
}
const from = (...peers: PolicyPeer[]): string[] =>
  allowed('ingress', { from: peers }).flatMap(({ addresses }) => addresses?.within ?? ['any']);

describe('a pod', () => {
  it('that no policy selects is open', () => {
    expect(chainsOf([policy({ podSelector: { matchLabels: { app: 'nobody' } } })])).toEqual([]);
  });

  it('is isolated in the named directions, and lets nothing through without rules', () => {
    const closed = chainsOf([policy({ policyTypes: ['Ingress', 'Egress'] })]);
    expect(closed).toEqual(
      ['egress', 'ingress'].map((direction) => ({
        pod: 'a/called',
        address: '10.0.0.2',
        direction,
        allowances: [],
      })),
    );
  });

  it.each([
    ['ingress', {}, ['ingress']],
    ['both', { egress: [] }, ['egress', 'ingress']],
  ])('is isolated without named directions by its rules: %s', (_, spec, directions) => {
    expect(chainsOf([policy(spec)]).map(({ direction }) => direction)).toEqual(directions);
  });

  it('of another namespace is not selected', () => {
    const every = policy({ podSelector: {}, policyTypes: ['Ingress'] });
    expect(chainsOf([every]).map((chain) => chain.pod)).toEqual(['a/caller', 'a/called']);
  });

  it('gets the sum of the rules of all policies that select it', () => {
    const one = policy({ ingress: [{ ports: [{ port: 1 }] }] });
    const two = policy({ podSelector: {}, ingress: [{ ports: [{ port: 2 }] }] });
    const chain = chainsOf([one, two]).find((found) => found.pod === 'a/called');
    expect(chain?.allowances.flatMap(({ ports }) => ports.flatMap((port) => port.ports))).toEqual(['1', '2']);
  });

  it.each([
    ['is over', { status: { phase: 'Succeeded', podIPs: [{ ip: '10.0.0.2' }] } }],
    ['has no address yet', { status: { phase: 'Pending' } }],
    ['is on the network of the host', { spec: { hostNetwork: true, containers: [] } }],
  ])('that %s has no rules', (_, change) => {
    expect(chainsOf([policy({})], [{ ...pod('called', '10.0.0.2'), ...change }])).toEqual([]);
  });
});

describe('the peers of a rule', () => {
  it.each<[string, PolicyPeer, string[]]>([
    ['pods of the policy’s namespace', { podSelector: { matchLabels: { app: 'caller' } } }, ['10.0.0.1']],
    ['all pods of namespaces', { namespaceSelector: { matchLabels: { team: 'b' } } }, ['10.0.0.3']],
    [
      'pods of any namespace',
      { namespaceSelector: {}, podSelector: { matchLabels: { app: 'caller' } } },
      ['10.0.0.1', '10.0.0.3'],
    ],
    ['a block of addresses', { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.9/32'] } }, ['192.0.2.0/24']],
    ['pods without a label', { podSelector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } }, []],
    [
      'pods with one of the values',
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['caller'] }] } },
      ['10.0.0.1'],
    ],
    [
      'pods with none of the values',
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['called'] }] } },
      ['10.0.0.1'],
    ],
    [
      'pods with the label',
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
      ['10.0.0.1', '10.0.0.2'],
    ],
  ])('are %s', (_, peer, addresses) => {
    expect(from(peer)).toEqual(addresses);
  });

  it('are any address if none is named', () => {
    expect(from()).toEqual(['any']);
  });

  it('include the host where it answers for DNS, as a pod of kube-system', () => {
    const dns = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    };
    expect(allowed('egress', { to: [dns], ports: [{ protocol: 'UDP', port: 53 }] })).toEqual([
      { addresses: { within: ['10.0.0.254'], except: [] }, ports: [{ protocol: 'udp', ports: ['53'] }] },
    ]);
  });
});

describe('the ports of a rule', () => {
  const ports = (direction: Direction, rule: PolicyRule): unknown =>
    allowed(direction, rule).map((allowance) => allowance.ports);

  it('are all if none is named, and all of a protocol that is named alone', () => {
    expect(ports('ingress', {})).toEqual([[]]);
    expect(ports('ingress', { ports: [{ protocol: 'UDP' }] })).toEqual([[{ protocol: 'udp', ports: [] }]]);
  });

  it('may be a range', () => {
    expect(ports('ingress', { ports: [{ port: 1, endPort: 9 }] })).toEqual([[{ protocol: 'tcp', ports: ['1-9'] }]]);
  });

  it('have the numbers that the pod gives their names which is connected to', () => {
    const calls = [[{ protocol: 'tcp', ports: ['8290'] }]];
    expect(ports('ingress', { ports: [{ port: 'calls' }] })).toEqual(calls);
    const peer = { podSelector: { matchLabels: { app: 'caller' } } };
    expect(ports('egress', { to: [peer], ports: [{ port: 'calls' }] })).toEqual(calls);
  });

  it('allow nothing by a name that the pod does not have, or outside of the cluster', () => {
    expect(ports('ingress', { ports: [{ port: 'nothing' }] })).toEqual([]);
    expect(ports('ingress', { ports: [{ protocol: 'SCTP', port: 'calls' }] })).toEqual([]);
    const outside = { ipBlock: { cidr: '0.0.0.0/0' } };
    expect(ports('egress', { to: [outside], ports: [{ port: 'calls' }] })).toEqual([]);
  });
});
