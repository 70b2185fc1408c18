// Translates policies into what each pod may send and receive. Pure: `nft-ruleset.ts` writes it as a ruleset.
import { matchesLabels } from './match-labels.ts';
import type {
  ContainerPort,
  NetworkObjects,
  NetworkPod,
  NetworkPolicy,
  PolicyPeer,
  PolicyPort,
  PolicyRule,
} from './network-objects.ts';

export type Direction = 'ingress' | 'egress';

/** Null: any address */
export type Addresses = { readonly within: readonly string[]; readonly except: readonly string[] } | null;

export interface Ports {
  readonly protocol: string;
  /** Numbers or ranges such as `8000-8010`; none: every port of the protocol */
  readonly ports: readonly string[];
}

/** Connections that are let through; without ports, those to every port. */
export interface Allowance {
  readonly addresses: Addresses;
  readonly ports: readonly Ports[];
}

/** One direction of an isolated pod: what no allowance names is dropped. */
export interface PolicyChain {
  /** `namespace/name` */
  readonly pod: string;
  readonly address: string;
  readonly direction: Direction;
  readonly allowances: readonly Allowance[];
}

/** The host answers for the cluster's DNS: its address counts as that of a pod with the usual labels. */
export function dnsPod(hostAddress: string): NetworkPod {
  const ports = ['UDP', 'TCP'].map((protocol) => ({
    name: `dns-${protocol.toLowerCase()}`,
    containerPort: 53,
    protocol,
  }));
  return {
    metadata: { name: 'host-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
    spec: { containers: [{ ports }] },
    status: { phase: 'Running', podIPs: [{ ip: hostAddress }] },
  };
}

/** A chain for each address and direction in which a policy isolates a pod. */
export function policyChains(objects: NetworkObjects): PolicyChain[] {
  const pods = objects.pods.filter(hasOwnAddress);
  const world = { ...objects, pods };
  return pods.flatMap((pod) =>
    (['egress', 'ingress'] as const).flatMap((direction) => {
      const policies = world.policies.filter((policy) => isolates(policy, pod, direction));
      if (policies.length === 0) return [];
      const allowances = policies.flatMap((policy) =>
        (policy.spec[direction] ?? []).flatMap((rule) => allowancesOf(world, { policy, rule, pod, direction })),
      );
      const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
      return addressesOf(pod).map((address) => ({ pod: name, address, direction, allowances }));
    }),
  );
}

/** A pod on the host's network has the address of every process there, so policies say nothing about it. */
function hasOwnAddress({ spec, status }: NetworkPod): boolean {
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  return !isOver && spec.hostNetwork !== true && (status.podIPs ?? []).length > 0;
}

const addressesOf = ({ status }: NetworkPod): string[] => (status.podIPs ?? []).map(({ ip }) => ip);

function isolates({ metadata, spec }: NetworkPolicy, pod: NetworkPod, direction: Direction): boolean {
  const types = spec.policyTypes ?? ['Ingress', ...(spec.egress ? ['Egress'] : [])];
  return (
    metadata.namespace === pod.metadata.namespace &&
    types.some((type) => type.toLowerCase() === direction) &&
    matchesLabels(spec.podSelector, pod.metadata.labels)
  );
}

interface RuleOfPod {
  readonly policy: NetworkPolicy;
  readonly rule: PolicyRule;
  readonly pod: NetworkPod;
  readonly direction: Direction;
}

function allowancesOf(objects: NetworkObjects, { policy, rule, pod, direction }: RuleOfPod): Allowance[] {
  const peers = (direction === 'ingress' ? rule.from : rule.to) ?? [];
  const ports = rule.ports ?? [];
  /** The pod that is connected to gives names of ports their numbers; addresses outside have no names. */
  const allowed = (addresses: Addresses, peer: NetworkPod | null): Allowance[] => {
    const target = direction === 'ingress' ? pod : peer;
    const numbers = ports.flatMap((port) => portsOf(port, target));
    return ports.length > 0 && numbers.length === 0 ? [] : [{ addresses, ports: numbers }];
  };
  if (peers.length === 0) return allowed(null, null);
  return peers.flatMap((peer) => {
    if (peer.ipBlock !== undefined)
      return allowed({ within: [peer.ipBlock.cidr], except: peer.ipBlock.except ?? [] }, null);
    return objects.pods
      .filter((other) => isPeer(objects, peer, { other, namespace: policy.metadata.namespace }))
      .flatMap((other) => allowed({ within: addressesOf(other), except: [] }, other));
  });
}

function isPeer(
  { namespaces }: NetworkObjects,
  { podSelector = {}, namespaceSelector }: PolicyPeer,
  { other, namespace }: { readonly other: NetworkPod; readonly namespace: string },
): boolean {
  if (!matchesLabels(podSelector, other.metadata.labels)) return false;
  if (namespaceSelector === undefined) return other.metadata.namespace === namespace;
  const found = namespaces.find(({ metadata }) => metadata.name === other.metadata.namespace);
  return matchesLabels(namespaceSelector, found?.metadata.labels);
}

function portsOf({ protocol = 'TCP', port, endPort }: PolicyPort, target: NetworkPod | null): Ports[] {
  const of = (ports: string[]): Ports => ({ protocol: protocol.toLowerCase(), ports });
  if (port === undefined) return [of([])];
  if (typeof port === 'number') return [of([endPort === undefined ? String(port) : `${port}-${endPort}`])];
  const numbers = namedPorts(target)
    .filter((one) => one.name === port && (one.protocol ?? 'TCP') === protocol)
    .map(({ containerPort }) => String(containerPort));
  return numbers.length === 0 ? [] : [of(numbers)];
}

function namedPorts(pod: NetworkPod | null): ContainerPort[] {
  const { containers = [], initContainers = [] } = pod?.spec ?? {};
  return [...containers, ...initContainers].flatMap(({ ports = [] }) => ports);
}
