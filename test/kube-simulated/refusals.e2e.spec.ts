import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../charts/charts.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import type { ToolEnding } from '../../tools/kube/run-tool.ts';
import { EXIT_LABEL } from '../../tools/kube/simulated/pod-life.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

const OF = ['-n', NAMESPACE, '-l', 'app.kubernetes.io/instance=heddle'];
const VALUES = ['--values', join(ROOT, 'charts/heddle/ci/managed-values.yaml')];
const WAIT = ['--wait', '--timeout', '3m'];
/** The pod of the migration ends with exit code 1, as `heddle migrate` does when it refuses. */
const REFUSED = [
  ...['--set-string', `commonLabels.${EXIT_LABEL.replaceAll('.', '\\.')}=1`],
  ...['--set', 'migrations.backoffLimit=0'],
];

/** In the order of the story: each step finds what the one before left. */
describe('a release that is refused', { timeout: 240_000 }, () => {
  let kube: SimulatedKube;
  beforeAll(async () => {
    kube = await simulatedKube();
  }, BUILD_MS);
  afterAll(async () => {
    await kube.remove();
  });

  const upgrade = async (...args: string[]): Promise<ToolEnding> =>
    await kube.helm.ending('upgrade', '--install', 'heddle', chartPath('heddle'), ...VALUES, ...args);
  const objects = async (): Promise<string[]> =>
    (await kube.kubectl.list('deployments,services,configmaps,networkpolicies,jobs', ...OF)).map(
      ({ kind, metadata }) => `${kind} ${metadata.name}`,
    );
  const deployments = async (): Promise<string[]> =>
    (await kube.kubectl.list('deployments', ...OF)).map(
      ({ metadata, spec }) => `${metadata.name} ${JSON.stringify(spec?.['replicas'])} ${metadata.uid}`,
    );

  it('for its values, has put nothing on the cluster', async () => {
    const { code, error } = await upgrade('--set', 'workers.graceSeconds=10');
    expect(code).toBe(1);
    expect(error).toContain('workers.graceSeconds: 10 is below limits.maxRuntimeSeconds + 60');
    expect(await objects()).toEqual([]);
    expect(JSON.parse(await kube.helm.run('list', '-o', 'json'))).toEqual([]);
  });

  it('by its migration, has started nothing', async () => {
    const { code, error } = await upgrade(...REFUSED, ...WAIT);
    expect(code).toBe(1);
    expect(error).toMatch(/pre-install.*fail/);
    expect(await objects()).toEqual(['Job heddle-migrate']);
    await kube.helm.run('uninstall', 'heddle');
  });

  it('by its migration, leaves the pods of the release before as they are, and can be tried again', async () => {
    expect((await upgrade(...WAIT)).code).toBe(0);
    const before = await deployments();
    expect(before.length).toBeGreaterThan(5);
    const { code, error } = await upgrade(...REFUSED, '--set', 'services.logs.replicas=3', ...WAIT);
    expect(code).toBe(1);
    expect(error).toMatch(/pre-upgrade.*fail/);
    expect(await deployments()).toEqual(before);
    expect((await upgrade('--set', 'services.logs.replicas=3', ...WAIT)).code).toBe(0);
    expect(await deployments()).not.toEqual(before);
  });
});
