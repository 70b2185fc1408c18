import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../charts/charts.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

const PREVIOUS = join(ROOT, 'test/charts/previous');
const OF = ['-n', NAMESPACE, '-l', 'app.kubernetes.io/instance=heddle'];
const WAIT = ['--wait', '--timeout', '3m'];

describe('the previous chart', { timeout: 240_000 }, () => {
  let kube: SimulatedKube;
  beforeAll(async () => {
    kube = await simulatedKube();
  }, BUILD_MS);
  afterAll(async () => {
    await kube.remove();
  });
  afterEach(async () => {
    await kube.helm.run('uninstall', 'heddle', '--ignore-not-found', ...WAIT);
  });

  const uids = async (kinds: string): Promise<string[]> =>
    (await kube.kubectl.list(kinds, ...OF)).map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`);

  it.each(['managed-values.yaml', 'self-hosted-values.yaml'])(
    'is upgraded to this one with its own %s and rolled back, and no Deployment or Service is made anew',
    async (file) => {
      const values = ['--values', join(PREVIOUS, 'heddle', file)];
      await kube.helm.run('install', 'heddle', join(PREVIOUS, 'heddle-0.1.0.tgz'), ...values, ...WAIT);
      const before = await uids('deployments,services');
      expect(before.length).toBeGreaterThan(10);
      await kube.helm.run('upgrade', 'heddle', chartPath('heddle'), ...values, ...WAIT);
      expect(await uids('deployments,services')).toEqual(expect.arrayContaining(before));
      await kube.helm.run('rollback', 'heddle', '1', ...WAIT);
      expect(await uids('deployments,services')).toEqual(before);
    },
  );
});
