import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../charts/charts.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

const IN = ['-n', NAMESPACE];
/** The scheduler leaves a pod alone whose claim has no volume. */
const ACCESS = { accessModes: ['ReadOnlyMany'], storageClassName: '' };
const MODELS = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'models' },
    spec: { ...ACCESS, capacity: { storage: '1Gi' }, hostPath: { path: '/models' } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models', namespace: NAMESPACE },
    spec: { ...ACCESS, volumeName: 'models', resources: { requests: { storage: '1Gi' } } },
  },
];

describe('workers of a deployment with a GPU', () => {
  let kube: SimulatedKube;
  beforeAll(async () => {
    kube = await simulatedKube();
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'nvidia' },
      handler: 'nvidia',
    };
    await kube.kubectl.apply(runtime, ...MODELS);
    const values = join(ROOT, 'charts/heddle-deployment/ci/gpu-values.yaml');
    // Two devices a pod, four on the node.
    const pods = ['--set', 'workers.autoscaling.mode=none', '--set', 'workers.replicas=3'];
    await kube.helm.run('install', 'demo', chartPath('heddle-deployment'), '--values', values, ...pods);
  }, BUILD_MS);
  afterAll(async () => {
    await kube.remove();
  });

  const pods = async (): Promise<ClusterObject[]> =>
    await kube.kubectl.list('pods', ...IN, '-l', 'app.kubernetes.io/instance=demo');

  it('run on the node with devices, as many as it has devices for', async () => {
    const nodes = async (): Promise<string[]> =>
      (await pods()).map(({ spec }) => String(spec?.['nodeName'] ?? 'none')).sort();
    await expect.poll(nodes).toEqual(['none', 'simulated-gpu', 'simulated-gpu']);
  });

  it('wait for devices that no node has, and say so', async () => {
    const [waiting] = (await pods()).filter(({ spec }) => spec?.['nodeName'] === undefined);
    const conditions = waiting?.status?.['conditions'] as { readonly message: string }[];
    expect(conditions[0]?.message).toContain('Insufficient nvidia.com/gpu');
  });

  it('have the engine as a sidecar that starts first, and only it has the devices', async () => {
    const [one] = await pods();
    const engine = (one?.spec?.['initContainers'] as Container[]).map(({ name, restartPolicy, resources }) => ({
      name,
      restartPolicy,
      gpus: resources.limits['nvidia.com/gpu'],
    }));
    expect(engine).toEqual([{ name: 'engine', restartPolicy: 'Always', gpus: '2' }]);
    const [worker] = one?.spec?.['containers'] as Container[];
    expect(worker?.resources.limits).not.toHaveProperty(['nvidia.com/gpu']);
  });
});

interface Container {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources: { readonly limits: Readonly<Record<string, string>> };
}
