import { beforeAll, describe, expect, it } from 'vitest';
import { at, rendered, type KubeObject } from './charts.ts';

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly ports: readonly string[];
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port: string | number }[];
}

interface Peer {
  readonly podSelector?: { readonly matchLabels?: Record<string, string>; readonly matchExpressions?: unknown };
  readonly namespaceSelector?: unknown;
}

/** Who may call whom inside a release, and on which ports. */
const EDGES: readonly Edge[] = [
  { from: 'assets', to: 'jobs', ports: ['calls'] },
  { from: 'gateway', to: 'assets', ports: ['calls', 'bytes'] },
  { from: 'gateway', to: 'jobs', ports: ['calls'] },
  { from: 'gateway', to: 'logs', ports: ['calls'] },
  { from: 'gateway', to: 'registry', ports: ['calls'] },
  { from: 'gateway', to: 'validation', ports: ['calls'] },
  { from: 'jobs', to: 'jobs', ports: ['calls'] },
  { from: 'logs', to: 'jobs', ports: ['calls'] },
  { from: 'registry', to: 'jobs', ports: ['calls'] },
  { from: 'test', to: 'gateway', ports: ['api'] },
  { from: 'validation', to: 'jobs', ports: ['calls'] },
  { from: 'validation', to: 'registry', ports: ['calls'] },
  { from: 'worker', to: 'assets', ports: ['calls', 'bytes'] },
  { from: 'worker', to: 'jobs', ports: ['calls', 'work'] },
  { from: 'worker', to: 'logs', ports: ['calls'] },
];

/** Ports of servers outside that a component may reach, DNS aside. */
const OUTSIDE: Readonly<Record<string, readonly number[]>> = {
  gateway: [4318, 5432, 9094],
  validation: [4318],
  assets: [4318, 5432, 8080, 9000, 9094],
  jobs: [4318, 5432, 9094],
  logs: [4318, 5432, 9094],
  registry: [443, 4318, 5432, 9000, 9094],
  worker: [4318],
  migrate: [4318, 5432, 9094],
  // The downloads of its outputs: the public endpoint of the object store.
  test: [443, 4318],
};

describe('the network of the platform', () => {
  let policies: Map<string, KubeObject>;
  const rulesOf = (component: string, direction: 'ingress' | 'egress'): readonly Rule[] =>
    (at(policies.get(`heddle-${component}`)?.body, `spec.${direction}`) as Rule[] | null) ?? [];

  beforeAll(async () => {
    const objects = await rendered('heddle', 'full-values.yaml');
    policies = new Map(objects.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => [one.name, one]));
  });

  it('is closed for every pod of the release', () => {
    expect(at(policies.get('heddle-deny')?.body, 'spec')).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'heddle', 'app.kubernetes.io/instance': 'heddle' } },
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('is opened by a caller and its target for the same edges', () => {
    const components = Object.keys(OUTSIDE);
    const out = components.flatMap((from) =>
      edgesOf(rulesOf(from, 'egress'), 'to').map(({ peer: to, ports }) => ({ from, to, ports })),
    );
    const into = components.flatMap((to) =>
      edgesOf(rulesOf(to, 'ingress'), 'from').map(({ peer: from, ports }) => ({ from, to, ports })),
    );
    expect(sorted(out)).toEqual(sorted(EDGES));
    expect(sorted(into)).toEqual(sorted(EDGES));
  });

  it.for(Object.entries(OUTSIDE))('lets %s reach the ports %j outside, and DNS', ([component, ports]) => {
    const rules = rulesOf(component, 'egress').filter(({ to = [] }) => !to.some(({ podSelector }) => podSelector));
    const found = rules.flatMap((rule) => rule.ports.map(({ port }) => Number(port))).sort((a, b) => a - b);
    expect(found).toEqual([53, 53, ...ports].sort((a, b) => a - b));
  });

  it('admits workers of deployments in its own namespace and in the named ones', () => {
    for (const component of ['jobs', 'assets', 'logs']) {
      const peers = rulesOf(component, 'ingress')
        .flatMap(({ from = [] }) => from)
        .filter(({ podSelector }) => podSelector?.matchExpressions);
      expect(peers.map(({ namespaceSelector }) => namespaceSelector)).toEqual([
        undefined,
        { matchLabels: { 'heddle.dev/workers': 'true' } },
      ]);
    }
    expect(JSON.stringify(rulesOf('gateway', 'ingress'))).not.toContain('heddle.dev/deployment');
  });

  it('leads from the registry to the ledger of jobs on managed alone', async () => {
    const set = ['--set', 'services.registry.enabled=true,hosts.registry=r.example.com,networkPolicy.enabled=true'];
    const objects = await rendered('heddle', 'self-hosted-values.yaml', set);
    const names = new Map(objects.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => [one.name, one.body]));
    const edges = (name: string, direction: 'ingress' | 'egress', way: 'from' | 'to'): readonly string[] =>
      edgesOf((at(names.get(name), `spec.${direction}`) as Rule[] | null) ?? [], way).map(({ peer }) => peer);
    expect(names.has('heddle-registry')).toBe(true);
    expect(edges('heddle-registry', 'egress', 'to')).not.toContain('jobs');
    expect(edges('heddle-jobs', 'ingress', 'from')).not.toContain('registry');
  });

  it('has no policy when it is switched off', async () => {
    const objects = await rendered('heddle', 'full-values.yaml', ['--set', 'networkPolicy.enabled=false']);
    expect(objects.filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([]);
  });
});

describe('routes', () => {
  it('of an HTTPRoute leave streams open, give uploads time, and name the hosts of deployments', async () => {
    const objects = await rendered('heddle', 'full-values.yaml');
    const route = objects.find(({ kind, name }) => kind === 'HTTPRoute' && name === 'heddle-gateway');
    expect(at(route?.body, 'spec.hostnames')).toEqual([
      'api.example.com',
      '*.deploy.example.com',
      '*.stg.deploy.example.com',
    ]);
    expect(at(route?.body, 'spec.rules')).toMatchObject([
      {
        matches: [{ method: 'GET', path: { type: 'PathPrefix', value: '/api/v2/jobs' } }],
        timeouts: { request: '0s' },
      },
      { matches: [{ path: { value: '/api/v2/assets' } }], timeouts: { request: '660s' } },
      { matches: [{ path: { value: '/' } }] },
    ]);
  });

  it('of an Ingress stream both ways and take an upload whole', async () => {
    const objects = await rendered('heddle', 'self-hosted-values.yaml');
    const ingress = objects.find(({ kind }) => kind === 'Ingress');
    const name = (key: string): string => `nginx.ingress.kubernetes.io/proxy-${key}`;
    expect(at(ingress?.body, 'metadata.annotations')).toEqual({
      [name('buffering')]: 'off',
      [name('request-buffering')]: 'off',
      [name('read-timeout')]: '3600',
      [name('send-timeout')]: '3600',
      [name('body-size')]: String(104_857_600 + 1_048_576),
    });
  });

  it('reach Services with the fixed names and ports', async () => {
    const objects = await rendered('heddle', 'full-values.yaml');
    const ports = Object.fromEntries(
      objects
        .filter(({ kind }) => kind === 'Service')
        .map(({ name, body }) => [
          name,
          (at(body, 'spec.ports') as { port: number; targetPort: string }[]).map(
            ({ port, targetPort }) => `${port}:${targetPort}`,
          ),
        ]),
    );
    expect(ports).toEqual({
      'heddle-gateway': ['80:api'],
      'heddle-validation': ['8290:calls'],
      'heddle-assets': ['8291:bytes', '8290:calls'],
      'heddle-jobs': ['8290:calls', '8390:work'],
      'heddle-logs': ['8290:calls'],
      'heddle-registry': ['8290:calls'],
      'heddle-registry-api': ['80:api'],
    });
  });
});

/** Rules about components of the release: the component, and the ports. */
function edgesOf(rules: readonly Rule[], side: 'from' | 'to'): { peer: string; ports: string[] }[] {
  return rules.flatMap((rule) =>
    (rule[side] ?? []).flatMap(({ podSelector }) => {
      const peer = podSelector?.matchLabels?.['app.kubernetes.io/component'];
      return peer === undefined ? [] : [{ peer, ports: rule.ports.map(({ port }) => String(port)) }];
    }),
  );
}

const sorted = (edges: readonly Edge[]): Edge[] =>
  [...edges].sort((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`));
