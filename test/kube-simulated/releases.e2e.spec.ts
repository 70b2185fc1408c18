import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, ciValues, ROOT } from '../charts/charts.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

const IN = ['-n', NAMESPACE];
const OF = [...IN, '-l', 'app.kubernetes.io/instance=heddle'];
const SERVICES = ['assets', 'gateway', 'jobs', 'logs', 'validation', 'worker'];
const values = (file: string): string[] => ['--values', join(ROOT, 'charts/heddle/ci', file)];
/** A rolling upgrade of every service takes half a minute on a busy machine. */
const STEP_MS = 240_000;
const WAIT = ['--wait', '--timeout', '3m'];

/** In the order of the story: each step finds what the one before left. */
describe('a release of the platform', { timeout: STEP_MS }, () => {
  let kube: SimulatedKube;
  beforeAll(async () => {
    kube = await simulatedKube();
  }, BUILD_MS);
  afterAll(async () => {
    await kube.remove();
  });

  const helm = async (...args: string[]): Promise<string> => await kube.helm.run(...args);
  const upgrade = async (...args: string[]): Promise<string> =>
    await helm('upgrade', 'heddle', chartPath('heddle'), ...args);
  const replicas = async (): Promise<unknown[]> =>
    (await kube.kubectl.list('deployments', ...OF)).map(({ spec }) => spec?.['replicas']);

  it('installs, with every pod on a node and none refused', async () => {
    const { code, error } = await kube.helm.ending(
      ...['install', 'heddle', chartPath('heddle'), ...values('managed-values.yaml'), ...WAIT],
    );
    expect(error.split('\n').filter((line) => /warning/i.test(line) && !/symbolic link/.test(line))).toEqual([]);
    expect(code, error).toBe(0);
    const pods = (await kube.kubectl.list('pods', ...OF)).filter(({ status }) => status?.['phase'] === 'Running');
    expect([...new Set(pods.map(componentOf))].sort()).toEqual(SERVICES);
    expect(pods.every(({ spec }) => spec?.['nodeName'] !== 'simulated-gpu')).toBe(true);
    const refused = await kube.kubectl.list('events', ...IN, '--field-selector', 'reason=FailedCreate');
    expect(refused).toEqual([]);
  });

  it('migrates before anything else is there', async () => {
    const job = await kube.kubectl.get('job', 'heddle-migrate', ...IN);
    const ended = Date.parse(String(job.status?.['completionTime']));
    const others = await kube.kubectl.list('deployments,services,networkpolicies', ...OF);
    expect(others.length).toBeGreaterThan(SERVICES.length);
    for (const { kind, metadata } of others)
      expect(Date.parse(metadata.creationTimestamp), `${kind} ${metadata.name}`).toBeGreaterThanOrEqual(ended);
  });

  it('spreads the pods of a service over nodes', async () => {
    const pods = await kube.kubectl.list('pods', ...OF, '-l', 'app.kubernetes.io/component=gateway');
    expect(new Set(pods.map(({ spec }) => spec?.['nodeName'])).size).toBe(2);
  });

  it('lets one pod of a service be evicted, and no second one beside it', async () => {
    // Simulated pods are replaced at once, so a pod that stays away is made by a cordon of all nodes.
    await kube.kubectl.run('cordon', '-l', 'heddle.dev/simulated=true');
    const pods = await kube.kubectl.list('pods', ...IN, '-l', 'app.kubernetes.io/component=jobs');
    const [first, second] = pods.map(({ metadata }) => metadata.name);
    expect((await evict(first)).code).toBe(0);
    const refused = await evict(second);
    await kube.kubectl.run('uncordon', '-l', 'heddle.dev/simulated=true');
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("would violate the pod's disruption budget");
    await kube.kubectl.run('rollout', 'status', 'deployment/heddle-jobs', ...IN, '--timeout=60s');
  });

  it('tests', async () => {
    const said = await helm('test', 'heddle');
    expect(said).toMatch(/TEST SUITE:\s+heddle-test\n[^]*Phase:\s+Succeeded/);
  });

  it('upgrades with more replicas, and rolls back after the check of the older version', async () => {
    const before = await replicas();
    await upgrade(...values('managed-values.yaml'), '--set', 'services.logs.replicas=3', ...WAIT);
    expect(await replicas()).not.toEqual(before);
    await helm('rollback', 'heddle', ...WAIT);
    expect(await replicas()).toEqual(before);
    const check = await kube.kubectl.get('job', 'heddle-migrate-check', ...IN);
    expect(at(check, 'spec.template.spec.containers.0.args')).toEqual(['migrate', '--check']);
    expect(check.status?.['succeeded']).toBe(1);
  });

  it('leaves the number of pods to an autoscaler', async () => {
    const scaled = ['--set', 'services.gateway.autoscaling.mode=hpa', '--set', 'services.gateway.autoscaling.min=4'];
    const gateways = async (): Promise<unknown> =>
      at(await kube.kubectl.get('deployment', 'heddle-gateway', ...IN), 'spec.replicas');
    await upgrade(...values('managed-values.yaml'), ...scaled, ...WAIT);
    await expect.poll(gateways, { timeout: 60_000 }).toBe(4);
    await upgrade(...values('managed-values.yaml'), ...scaled, '--set', 'networkPolicy.enabled=false', ...WAIT);
    expect(await gateways()).toBe(4);
  });

  it.each([...ciValues('heddle'), 'managed-values.yaml'])(
    'changes to %s without touching a field that cannot change',
    async (file) => {
      // Migrations by a hook need no Secret of an operator here; nothing waits for objects of operators that do not run.
      await upgrade(...values(file), '--timeout', '3m');
      const current = JSON.parse(await helm('status', 'heddle', '-o', 'json')) as { readonly info: { status: string } };
      expect(current.info.status).toBe('deployed');
    },
  );

  it('leaves nothing but the Jobs of its hooks when it is uninstalled', async () => {
    await helm('uninstall', 'heddle', ...WAIT);
    const kinds =
      'all,configmaps,networkpolicies,poddisruptionbudgets,ingresses,horizontalpodautoscalers,scaledobjects';
    const left = async (): Promise<string[]> =>
      (await kube.kubectl.list(kinds, ...OF))
        .filter(({ kind }) => kind !== 'Pod')
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    await expect.poll(left).toEqual(['Job heddle-migrate', 'Job heddle-migrate-check']);
  });

  async function evict(name: string | undefined): Promise<{ code: number; error: string }> {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
    return await kube.kubectl.ending(['create', '--raw', path, '-f', '-'], JSON.stringify(body));
  }
});

const componentOf = ({ metadata }: ClusterObject): string | undefined =>
  metadata.labels?.['app.kubernetes.io/component'];
