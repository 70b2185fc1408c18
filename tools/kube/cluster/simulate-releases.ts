import type { RunningKube } from '../start-simulated-kube.ts';
import { DEPLOYMENT_RELEASE, deploymentValues, PLATFORM_RELEASE, platformValues } from './heddle-values.ts';
import { installRelease } from './install-platform.ts';

/** No pod of a simulated node reaches a server, so these need not be there. */
const NOWHERE = {
  image: { tag: 'simulated' },
  brokers: ['kafka:9092'],
  s3: { endpoint: 'http://s3:9000', bucket: 'heddle' },
};
const DIGEST = `sha256:${'0'.repeat(64)}`;

/** Both charts. Their Secrets need not be there: no kubelet mounts them. */
export async function simulateReleases({ helm, places }: RunningKube, say: (line: string) => void): Promise<void> {
  const folder = places.configs;
  const platform = { release: PLATFORM_RELEASE, chart: 'heddle', values: platformValues(NOWHERE), folder } as const;
  say(`release heddle is installed after ${(await installRelease(helm, platform)).toFixed(1)} s`);
  const values = deploymentValues({ digest: DIGEST, revision: '1' });
  const demo = { release: DEPLOYMENT_RELEASE, chart: 'heddle-deployment', values, folder } as const;
  say(`release demo is installed after ${(await installRelease(helm, demo)).toFixed(1)} s`);
}
