import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, rendered, type KubeObject } from '../charts/charts.ts';
import type { NetworkNamespace, NetworkPod, NetworkPolicy } from '../../tools/kube/network/network-objects.ts';
import { startPolicyEnforcer, type PolicyEnforcer } from '../../tools/kube/network/start-policy-enforcer.ts';
import { HOST_ADDRESS, PodNetwork, SERVICE_ADDRESS, type Outcome } from './pod-network.fixture.ts';

const SET_UP_MS = 120_000;
/** Of the pods and of the servers; each listens at all of them, so that only policies tell connections apart. */
const PORTS = [53, 5432, 8189, 8290, 8291, 8390, 9092, 9189];
const DATABASE = 'database';
const NAMESPACES: NetworkNamespace[] = ['heddle', 'acme', 'kube-system'].map((name) => ({
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
}));
const STRANGER = { name: 'stranger', namespace: 'acme', labels: { 'heddle.dev/deployment': 'acme' } };

/** Who connects to whom, at which port. The database stands for any server outside. */
const CONNECTIONS: readonly (readonly [from: string, to: string, port: number, outcome: Outcome])[] = [
  ['heddle-gateway', 'heddle-jobs', 8290, 'open'],
  ['heddle-gateway', 'heddle-assets', 8291, 'open'],
  ['heddle-gateway', 'heddle-jobs', 8390, 'timeout'],
  ['heddle-gateway', DATABASE, 5432, 'open'],
  ['heddle-gateway', 'host', 53, 'open'],
  ['heddle-gateway', 'host', 9189, 'timeout'],
  ['heddle-jobs', DATABASE, 5432, 'open'],
  ['heddle-jobs', DATABASE, 9092, 'open'],
  ['heddle-jobs', 'host', 5432, 'open'],
  ['heddle-jobs', 'heddle-gateway', 8189, 'timeout'],
  ['heddle-worker', 'heddle-jobs', 8390, 'open'],
  ['heddle-worker', 'heddle-assets', 8291, 'open'],
  ['heddle-worker', DATABASE, 5432, 'timeout'],
  ['heddle-worker', DATABASE, 9092, 'timeout'],
  ['heddle-worker', 'host', 5432, 'timeout'],
  ['heddle-worker', 'heddle-validation', 8290, 'timeout'],
  ['demo-heddle-worker', 'heddle-jobs', 8390, 'open'],
  ['demo-heddle-worker', 'heddle-assets', 8291, 'open'],
  ['demo-heddle-worker', 'heddle-gateway', 8189, 'timeout'],
  ['demo-heddle-worker', DATABASE, 5432, 'timeout'],
  ['stranger', 'heddle-jobs', 8390, 'timeout'],
  ['stranger', 'heddle-gateway', 8189, 'open'],
  ['stranger', 'heddle-gateway', 9189, 'timeout'],
  // Probes of the kubelet
  ['host', 'heddle-worker', 9189, 'open'],
  ['host', 'heddle-jobs', 8290, 'open'],
  // A Service of jobs
  ['heddle-gateway', 'service', 8290, 'open'],
  ['heddle-worker', 'service', 8290, 'open'],
  ['stranger', 'service', 8290, 'timeout'],
];

/** In the order of the story: each step finds what the one before left. */
describe('policies that are enforced', { timeout: SET_UP_MS }, () => {
  let network: PodNetwork;
  let enforcer: PolicyEnforcer;
  const addresses = new Map([
    ['host', HOST_ADDRESS],
    ['service', SERVICE_ADDRESS],
  ]);
  const objects = { networkpolicies: [] as NetworkPolicy[], pods: [] as NetworkPod[], namespaces: NAMESPACES };
  beforeAll(async () => {
    network = await PodNetwork.create();
    const all = [
      ...(await rendered('heddle', 'managed-values.yaml')),
      ...(await rendered('heddle-deployment', 'builtin-values.yaml')),
    ];
    objects.networkpolicies = all.filter(({ kind }) => kind === 'NetworkPolicy').map(policyOf);
    const templates = all.filter(({ kind }) => kind === 'Deployment').map(podOf);
    const stranger = { metadata: STRANGER, spec: { containers: [] } };
    for (const pod of [...templates, stranger]) {
      const ip = await network.add(pod.metadata.name, PORTS);
      addresses.set(pod.metadata.name, ip);
      objects.pods.push({ ...pod, status: { phase: 'Running', podIPs: [{ ip }] } });
    }
    addresses.set(DATABASE, await network.add(DATABASE, PORTS));
    await network.listen('host', PORTS);
    await network.translate(8290, addresses.get('heddle-jobs')!);
    enforcer = await startPolicyEnforcer({
      api: { ask: async (_, path) => await Promise.resolve({ items: listed(path) }) },
      dnsAddress: HOST_ADDRESS,
      say: (line) => void process.stderr.write(`${line}\n`),
      apply: async (ruleset) => await network.apply(ruleset),
    });
  }, SET_UP_MS);
  afterAll(async () => {
    await enforcer?.stop();
    await network?.remove();
  }, SET_UP_MS);

  const listed = (path: string): unknown => objects[path.split('/').at(-1) as keyof typeof objects];
  const outcomes = async (): Promise<string[]> => {
    const callers = [...new Set(CONNECTIONS.map(([from]) => from))];
    const found = await Promise.all(
      callers.map(async (caller) => {
        const own = CONNECTIONS.filter(([from]) => from === caller);
        const targets = own.map(([, to, port]) => [addresses.get(to)!, port] as const);
        const ends = await network.outcomes(caller, targets);
        return own.map(([, to, port], index) => `${caller} → ${to}:${port} ${ends[index]}`);
      }),
    );
    return found.flat().sort();
  };
  const expected = (outcome: (given: Outcome) => Outcome): string[] =>
    CONNECTIONS.map(([from, to, port, end]) => `${from} → ${to}:${port} ${outcome(end)}`).sort();

  it('let through the edges of the charts, and leave every other connection without an answer', async () => {
    expect(await outcomes()).toEqual(expected((end) => end));
  });

  it('follow the API server: without policies every connection is open', async () => {
    const policies = objects.networkpolicies;
    objects.networkpolicies = [];
    await expect.poll(outcomes, { timeout: 20_000, interval: 500 }).toEqual(expected(() => 'open'));
    objects.networkpolicies = policies;
    await expect.poll(outcomes, { timeout: 20_000, interval: 500 }).toEqual(expected((end) => end));
  });

  it('are gone when the enforcer has stopped', async () => {
    await enforcer.stop();
    expect(await network.ruleset()).not.toContain('heddle-network-policies');
    expect(await outcomes()).toEqual(expected(() => 'open'));
  });
});

const policyOf = ({ body }: KubeObject): NetworkPolicy => {
  const policy = body as unknown as NetworkPolicy;
  return { ...policy, metadata: { ...policy.metadata, namespace: 'heddle' } };
};

function podOf({ name, body }: KubeObject): Pick<NetworkPod, 'metadata' | 'spec'> {
  const labels = at(body, 'spec.template.metadata.labels') as Readonly<Record<string, string>>;
  const spec = at(body, 'spec.template.spec') as NetworkPod['spec'];
  return { metadata: { name, namespace: 'heddle', labels }, spec };
}
