import { unknownSettings } from '@heddle/composition';
import { beforeAll, describe, expect, it } from 'vitest';
import { chartSettings } from '../../tools/charts/chart-settings.ts';
import { at, CHARTS, ciValues, rendered, type Chart, type KubeObject } from './charts.ts';
import { containersOf, envOf, keysOf, mainOf, podsOf, sourcesOf, valueOf, type Pod } from './rendered-pods.ts';

const SERVICES = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry'];

const RENDERS = CHARTS.flatMap((chart) => ciValues(chart).map((values) => ({ chart, values })));

describe.each(RENDERS)('the pods of $chart with $values', ({ chart, values }) => {
  let pods: Pod[];
  let objects: KubeObject[];
  beforeAll(async () => {
    objects = await rendered(chart, values);
    pods = podsOf(objects);
  });

  it('fit Pod Security restricted, with a read-only root and no account of the cluster', () => {
    for (const { spec } of pods) {
      expect(spec['automountServiceAccountToken']).toBe(false);
      expect(spec['enableServiceLinks']).toBe(false);
      expect(at(spec, 'securityContext.runAsNonRoot')).toBe(true);
      expect(at(spec, 'securityContext.runAsUser')).toBe(10001);
      expect(at(spec, 'securityContext.seccompProfile.type')).toBe('RuntimeDefault');
      for (const { securityContext } of containersOf(spec)) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('request CPU and memory, and limit memory', () => {
    for (const { owner, spec } of pods) {
      for (const { resources } of containersOf(spec)) {
        expect(Object.keys(resources.requests ?? {}), owner).toEqual(expect.arrayContaining(['cpu', 'memory']));
        expect(Object.keys(resources.limits ?? {}), owner).toContain('memory');
      }
    }
  });

  it('set only settings that their component reads', () => {
    const known = chartSettings();
    for (const { component, spec } of pods) {
      for (const { name } of envOf(spec, component)) {
        if (!name.startsWith('HEDDLE_') || component === 'test') continue;
        const plain = known[name] === undefined ? name.replace(/_FILE$/, '') : name;
        expect(known[plain]?.readers, `${component}: ${name}`).toContain(component);
        expect(unknownSettings({ [name]: 'x' }), component).toEqual([]);
      }
    }
  });

  it('hold no secret in their environment: a setting that is one names a file', () => {
    const known = chartSettings();
    for (const { component, spec } of pods)
      for (const { name } of envOf(spec, component))
        expect(known[name]?.secret, `${component}: ${name}`).not.toBe(true);
  });

  it('mount each secret file that a setting names, and no other key', () => {
    for (const { component, spec } of pods) {
      const mounted = sourcesOf(spec).flatMap(({ secret }) =>
        secret.items.map(({ path }) => `/etc/heddle/secrets/${path}`),
      );
      const named = envOf(spec, component).flatMap(({ value = '' }) =>
        value.startsWith('/etc/heddle/') ? [value] : [],
      );
      expect(mounted.sort(), component).toEqual(named.sort());
    }
  });

  it('have a selector of name, instance and component alone', () => {
    for (const { body, kind, name } of objects) {
      const selector = at(body, kind === 'Service' ? 'spec.selector' : 'spec.selector.matchLabels');
      if (!['Deployment', 'Service', 'PodDisruptionBudget'].includes(kind)) continue;
      const keys = ['name', 'instance', 'component'].map((key) => `app.kubernetes.io/${key}`).sort();
      expect(Object.keys(selector as object).sort(), `${kind} ${name}`).toEqual(keys);
    }
  });

  it('are replaced one by one, without a missing one', () => {
    for (const { kind, body } of objects.filter((one) => one.kind === 'Deployment')) {
      expect(at(body, 'spec.strategy.rollingUpdate'), kind).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      expect(at(body, 'spec.minReadySeconds')).toBe(5);
    }
  });

  it('stop within their grace period', () => {
    for (const { component, spec } of pods.filter(({ component }) => !['migrate', 'test'].includes(component))) {
      const stop = Number(valueOf(spec, component, 'HEDDLE_STOP_S'));
      const grace = spec.terminationGracePeriodSeconds ?? 30;
      const preStop = Number(at(mainOf(spec, component), 'lifecycle.preStop.sleep.seconds') ?? 0);
      expect(grace, component).toBe(preStop + stop + 5);
      if (component === 'worker') expect(Number(valueOf(spec, component, 'HEDDLE_DRAIN_S'))).toBe(grace - 15);
    }
  });

  it('have a readiness probe that waits for the checks of dependencies', () => {
    for (const { component, spec } of pods.filter(({ component }) => !['migrate', 'test'].includes(component))) {
      const main = mainOf(spec, component);
      expect(main.readinessProbe?.timeoutSeconds).toBeGreaterThanOrEqual(3);
      expect(at(main, 'livenessProbe.httpGet.path')).toBe('/livez');
      expect(at(main, 'startupProbe.httpGet.path')).toBe('/livez');
      expect(at(main, 'readinessProbe.httpGet.path')).toBe('/readyz');
    }
  });
});

describe('secrets of the managed surface', () => {
  it.each([
    [
      'gateway',
      [
        'heddle-auth/admin-token',
        'heddle-auth/bootstrap-key',
        'heddle-auth/key-pepper',
        'heddle-auth/signed-url-keys',
        'heddle-calls/ca.crt',
        'heddle-calls/tls.crt',
        'heddle-calls/tls.key',
        'heddle-database/accounts-url',
        'heddle-identity/gateway-token',
      ],
    ],
    [
      'jobs',
      [
        'heddle-auth/credential-keys',
        'heddle-calls/ca.crt',
        'heddle-calls/tls.crt',
        'heddle-calls/tls.key',
        'heddle-database/deployments-url',
        'heddle-database/jobs-url',
        'heddle-identity/jobs-token',
        'heddle-identity/public-key',
      ],
    ],
    ['worker', ['heddle-calls/ca.crt', 'heddle-calls/tls.crt', 'heddle-calls/tls.key', 'heddle-identity/worker-token']],
    ['test', ['heddle-auth/bootstrap-key']],
  ])('%s mounts these keys', async (component, keys) => {
    expect(keysOf(podsOf(await rendered('heddle', 'managed-values.yaml')), component)).toEqual(keys);
  });

  it('the URL of the owner is mounted by migrate alone', async () => {
    const pods = podsOf(await rendered('heddle', 'managed-values.yaml'));
    const holders = pods.filter(({ spec }) =>
      sourcesOf(spec).some(({ secret }) => secret.items.some(({ key }) => key === 'owner-url')),
    );
    expect(new Set(holders.map(({ component }) => component))).toEqual(new Set(['migrate']));
  });
});

describe('the registry of the self-hosted surface', () => {
  it('mounts the pepper of the tokens of publishers, so that its replicas know the same ones', async () => {
    const set = ['--set', 'services.registry.enabled=true', '--set', 'hosts.registry=registry.example'];
    const objects = await rendered('heddle', 'self-hosted-values.yaml', set);
    const registries = podsOf(objects).filter(({ component }) => component === 'registry');
    expect(registries).toHaveLength(1);
    expect(valueOf(registries[0]!.spec, 'registry', 'HEDDLE_KEY_PEPPER')).toBe('/etc/heddle/secrets/auth/key-pepper');
  });
});

describe('the platform', () => {
  it('requests at most 1 GiB of memory for one replica of each service', async () => {
    const pods = podsOf(await rendered('heddle', 'full-values.yaml'));
    const requests = SERVICES.map((service) => {
      const pod = pods.find(({ component }) => component === service);
      return Number.parseInt(String(pod?.spec.containers[0]?.resources.requests?.['memory']), 10);
    });
    expect(requests.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(1_024);
  });

  it('has a budget for each service with two pods, and for no other', async () => {
    const budgets = async (...set: string[]): Promise<string[]> =>
      (await rendered('heddle', 'managed-values.yaml', set))
        .filter(({ kind }) => kind === 'PodDisruptionBudget')
        .map(({ name }) => name)
        .sort();
    expect(await budgets()).toEqual(['heddle-assets', 'heddle-gateway', 'heddle-jobs', 'heddle-validation']);
    expect(await budgets('--set', 'services.gateway.replicas=1,services.logs.replicas=2')).toEqual([
      'heddle-assets',
      'heddle-jobs',
      'heddle-logs',
      'heddle-validation',
    ]);
    expect(await budgets('--set', 'podDisruptionBudget.enabled=false')).toEqual([]);
  });

  it('migrates in a hook of a constant name, or in a Job whose name follows from what it runs', async () => {
    const jobs = async (...set: string[]): Promise<[string, unknown][]> =>
      (await rendered('heddle', 'managed-values.yaml', set))
        .filter(({ kind }) => kind === 'Job')
        .map(({ name, body }) => [name, at(body, 'metadata.annotations')]);
    const hook = (when: string): object => ({
      'helm.sh/hook': when,
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
    expect(Object.fromEntries(await jobs())).toEqual({
      'heddle-migrate': hook('pre-install,pre-upgrade'),
      'heddle-migrate-check': hook('pre-rollback'),
    });
    const plain = async (set: string, ...more: string[]): Promise<string> => {
      const [job, ...others] = await jobs(
        '--set',
        `migrations.hooks=false,migrations.rollbackCheck=false,${set}`,
        ...more,
      );
      expect([job?.[1], others]).toEqual([undefined, []]);
      return job?.[0] ?? '';
    };
    const name = await plain('image.tag=1.0.0');
    expect(name).toMatch(/^heddle-migrate-[0-9a-f]{8}-1$/);
    expect(await plain('image.tag=1.0.0,services.gateway.replicas=3')).toBe(name);
    expect(await plain('image.tag=1.0.1')).not.toBe(name);
    expect(await plain('image.tag=1.0.0,kafka.partitions=24')).not.toBe(name);
    const long = `fullnameOverride=${'n'.repeat(50)}`;
    const names = [await plain(long), ...(await jobs('--set', long)).map(([one]) => one)];
    expect(names.filter((one) => one.length > 63)).toEqual([]);
  });

  it('names the registry to those that ask it, with a token for the call', async () => {
    const values: [string, string][] = [
      ['full-values.yaml', 'https://registry.example.com'],
      ['self-hosted-values.yaml', 'https://r.example.com'],
    ];
    for (const [file, url] of values) {
      const pods = podsOf(
        await rendered('heddle', file, [
          '--set',
          'services.registry.enabled=true',
          ...(file.startsWith('self') ? ['--set', 'hosts.registry=r.example.com'] : []),
        ]),
      );
      const specOf = (component: string): Pod['spec'] => pods.find((pod) => pod.component === component)!.spec;
      expect(valueOf(specOf('registry'), 'registry', 'HEDDLE_REGISTRY_PUBLIC_URL')).toBe(url);
      // The ledger of tasks: self-hosted takes no credits.
      const hasLedger = !file.startsWith('self');
      const ofLedger = ['HEDDLE_JOBS_URLS', 'HEDDLE_SERVICE_TOKEN_FILE'].map((name) =>
        valueOf(specOf('registry'), 'registry', name),
      );
      expect(ofLedger).toEqual(
        hasLedger ? ['https://heddle-jobs:8290', '/etc/heddle/secrets/identity/token'] : [undefined, undefined],
      );
      const askers = chartSettings()['HEDDLE_REGISTRY_URLS']?.readers ?? [];
      expect(askers).toContain('validation');
      for (const asker of askers) {
        expect(valueOf(specOf(asker), asker, 'HEDDLE_REGISTRY_URLS')).toMatch(/^https?:\/\/heddle-registry:8290$/);
        expect(valueOf(specOf(asker), asker, 'HEDDLE_SERVICE_TOKEN_FILE')).toBe('/etc/heddle/secrets/identity/token');
      }
    }
  });

  it('sends bytes of assets to the port that the assets service serves them on', async () => {
    for (const [chart, values] of [
      ['heddle', 'full-values.yaml'],
      ['heddle-deployment', 'gpu-values.yaml'],
    ] as const)
      for (const { component, spec } of podsOf(await rendered(chart, values))) {
        const [calls, bytes, port] = ['ASSETS_URLS', 'ASSETS_BYTES_URLS', 'BYTES_PORT'].map((name) =>
          valueOf(spec, component, `HEDDLE_${name}`),
        );
        expect([component, bytes, port]).toEqual([
          component,
          calls?.replace(/:8290$/, ':8291'),
          component === 'assets' ? '8291' : undefined,
        ]);
      }
  });

  it('gives the registry its vendors and lists as files, and simulates vendors without an address', async () => {
    const settings = [
      ['HEDDLE_VIDEOVENDOR_URL', 'https://video.example.com'],
      ['HEDDLE_VIDEOVENDOR_MODELS', 'vendorq2-pro=pro'],
      ['HEDDLE_VIDEOVENDOR_KEY_FILE', '/etc/heddle/secrets/vendors/videovendor-key'],
      ['HEDDLE_IMAGEVENDOR_URL', 'https://image.example.com'],
      ['HEDDLE_IMAGEVENDOR_KEY_FILE', '/etc/heddle/secrets/vendors/imagevendor-key'],
      ['HEDDLE_IMAGEVENDOR_WEBHOOK_SECRET_FILE', '/etc/heddle/secrets/vendors/imagevendor-webhook-secret'],
      ['HEDDLE_PROXY_PRICES', '/etc/heddle/secrets/vendors/prices.json'],
      ['HEDDLE_REGISTRY_RESERVED', '/etc/heddle/secrets/lists/reserved-nodes'],
    ] as const;
    const specOf = (pods: readonly Pod[], component: string): Pod['spec'] =>
      pods.find((pod) => pod.component === component)!.spec;
    const full = podsOf(await rendered('heddle', 'full-values.yaml'));
    for (const [name, value] of settings) {
      expect([name, valueOf(specOf(full, 'registry'), 'registry', name)]).toEqual([name, value]);
      expect([name, valueOf(specOf(full, 'gateway'), 'gateway', name)]).toEqual([name, undefined]);
    }
    const hashes = valueOf(specOf(full, 'assets'), 'assets', 'HEDDLE_MODERATION_HASHES');
    expect(hashes).toBe('/etc/heddle/secrets/lists/blocked-hashes');

    const simulated = [
      '--set',
      'services.registry.enabled=true,hosts.registry=r.example.com,vendors.video.url=simulated',
    ];
    const plain = podsOf(await rendered('heddle', 'managed-values.yaml', simulated));
    const values = settings.map(([name]) => valueOf(specOf(plain, 'registry'), 'registry', name));
    expect(values.filter((value) => value !== undefined)).toEqual(['simulated']);
  });

  it('gives assets the scanner of uploads as a file if it has a way there', async () => {
    const scanner = (pods: readonly Pod[], component: string): string | undefined =>
      valueOf(pods.find((pod) => pod.component === component)!.spec, component, 'HEDDLE_MODERATION_URL_FILE');
    const way = 'networkPolicy.egress.moderation=[{"to":{"ipBlock":{"cidr":"10.2.0.9/32"}},"ports":[443]}]';
    const used = podsOf(await rendered('heddle', 'managed-values.yaml', ['--set-json', way]));
    expect(scanner(used, 'assets')).toBe('/etc/heddle/secrets/auth/moderation-url');
    expect(keysOf(used, 'assets')).toContain('heddle-auth/moderation-url');
    expect(scanner(used, 'gateway')).toBeUndefined();
    const unused = podsOf(await rendered('heddle', 'managed-values.yaml'));
    expect(scanner(unused, 'assets')).toBeUndefined();
  });

  it('takes the keys of vendors from the Secret of the API unless they have one of their own', async () => {
    const registry = async (...set: string[]): Promise<string[]> => {
      const values = ['services.registry.enabled=true', 'hosts.registry=r.example.com', ...set].join(',');
      const keys = keysOf(podsOf(await rendered('heddle', 'managed-values.yaml', ['--set', values])), 'registry');
      return keys.filter((key) => /vendor/.test(key));
    };
    const vendors = [
      'vendors.video.url=https://v.example.com',
      'vendors.image.url=https://i.example.com',
      'vendors.image.signsCallbacks=true',
    ];
    const keys = ['imagevendor-key', 'imagevendor-webhook-secret', 'videovendor-key'];
    expect(await registry()).toEqual([]);
    expect(await registry(...vendors)).toEqual(keys.map((key) => `heddle-auth/${key}`));
    expect(await registry(...vendors, 'vendors.existingSecret=v')).toEqual(keys.map((key) => `v/${key}`));
  });

  it('writes https links with the certificate of a route, and otherwise as settings say', async () => {
    const scheme = async (file: string, ...set: string[]): Promise<string | undefined> => {
      const pods = podsOf(await rendered('heddle', file, set));
      return valueOf(pods.find(({ component }) => component === 'gateway')!.spec, 'gateway', 'HEDDLE_PUBLIC_SCHEME');
    };
    expect(await scheme('self-hosted-values.yaml')).toBe('https');
    expect(await scheme('self-hosted-values.yaml', '--set', 'route.tls.secretName=')).toBeUndefined();
    expect(await scheme('full-values.yaml')).toBe('https');
  });
});

describe('worker pods', () => {
  const SAFE = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
  const DISRUPT = 'karpenter.sh/do-not-disrupt';
  const annotations = async (chart: Chart, values: string, ...set: string[]): Promise<unknown> => {
    const objects = await rendered(chart, values, set);
    const worker = objects.find(({ kind, name }) => kind === 'Deployment' && name.endsWith('-worker'));
    return at(worker?.body, 'spec.template.metadata.annotations');
  };

  it.each([
    ['heddle', 'managed-values.yaml', {}],
    ['heddle-deployment', 'builtin-values.yaml', { 'heddle.dev/revision': '1' }],
  ] as const)(
    'of %s are not moved by autoscalers of nodes, unless an annotation says so',
    async (chart, values, own) => {
      expect(await annotations(chart, values)).toEqual({ ...own, [SAFE]: 'false', [DISRUPT]: 'true' });
      const given = `workers.podAnnotations=${JSON.stringify({ [SAFE]: 'true', team: 'render' })}`;
      const changed = { ...own, [SAFE]: 'true', [DISRUPT]: 'true', team: 'render' };
      expect(await annotations(chart, values, '--set-json', given)).toEqual(changed);
    },
  );
});

describe('a deployment with an engine', () => {
  it('runs it as a native sidecar that mounts no Secret and gets the devices', async () => {
    const [pod] = podsOf(await rendered('heddle-deployment', 'gpu-values.yaml'));
    const [engine] = pod?.spec.initContainers ?? [];
    expect(engine).toMatchObject({ name: 'engine', restartPolicy: 'Always' });
    expect(engine?.volumeMounts?.map(({ name }) => name)).not.toContain('secrets');
    expect(engine?.env).toBeUndefined();
    expect(engine?.resources.limits).toMatchObject({ 'nvidia.com/gpu': 2 });
    expect(pod?.spec.containers[0]?.resources.limits).not.toHaveProperty(['nvidia.com/gpu']);
    expect(pod?.spec.containers[0]?.env).toContainEqual({ name: 'HEDDLE_ENGINE', value: 'http://127.0.0.1:8188' });
  });
});
