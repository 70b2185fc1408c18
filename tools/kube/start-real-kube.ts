import { fileURLToPath } from 'node:url';
import { makeHeddleImage } from '../images/make-heddle-image.ts';
import { DEPLOYMENT_RELEASE, PLATFORM_RELEASE } from './cluster/heddle-values.ts';
import { installDemo } from './cluster/install-demo.ts';
import { nodeValues } from './cluster/node-values.ts';
import { installRelease } from './cluster/install-platform.ts';
import { autoscalingOf, startScaling } from './cluster/start-scaling.ts';
import { startRealCluster, type RealCluster } from './start-real-cluster.ts';
import type { KubePlan } from './start-simulated-kube.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export interface RealKube extends RealCluster {
  /** Of the API. */
  readonly url: string;
}

/** A cluster with a real node, the image of this checkout, and both charts. `port`: of the API at localhost. */
export async function startRealKube(plan: KubePlan, port: number): Promise<RealKube> {
  const { say } = plan;
  const cluster = await startRealCluster(plan);
  try {
    const image = await makeHeddleImage(ROOT);
    const digest = await cluster.images.import(image);
    say(`image ${image.name}:${image.tag} is on the node`);
    const values = nodeValues(image.tag, cluster.servers);
    const folder = cluster.places.configs;
    const platform = { release: PLATFORM_RELEASE, chart: 'heddle', values, folder } as const;
    const platformS = await installRelease(cluster.helm, platform);
    say(`release ${PLATFORM_RELEASE} is installed after ${platformS.toFixed(1)} s`);
    const scaling = plan.keda === true ? await startScaling(cluster, plan) : null;
    if (scaling !== null) say(`KEDA is ready, Prometheus is at ${scaling.prometheus.url}`);
    const demoS = await installDemo(cluster, digest, scaling === null ? {} : { autoscaling: autoscalingOf(scaling) });
    say(`release ${DEPLOYMENT_RELEASE} is installed after ${demoS.toFixed(1)} s`);
    const stop = async (): Promise<void> => {
      await scaling?.stop();
      await cluster.stop();
    };
    return { ...cluster, url: await cluster.openApi(port), stop };
  } catch (error) {
    await cluster.stop().catch(() => undefined);
    throw error;
  }
}
