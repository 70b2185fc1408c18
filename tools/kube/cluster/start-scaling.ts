import { setTimeout as delay } from 'node:timers/promises';
import { installFurtherChartTools } from '../../charts/chart-tools.ts';
import { RunningPrometheus } from '../../charts/prometheus/running-prometheus.ts';
import type { Kubectl } from '../control-plane/kubectl.ts';
import { startKeda, type KedaCluster } from '../keda/start-keda.ts';
import { installKedaTools } from '../kube-tools.ts';
import { noteProcess } from '../processes/kube-process.ts';
import { StopOrder } from '../processes/stop-order.ts';
import { NAMESPACE } from './heddle-values.ts';

const SCRAPE_INTERVAL_S = 5;
const POLL_MS = 1_000;

export interface Scaling {
  /** Knows the metrics of every pod of the releases. */
  readonly prometheus: RunningPrometheus;
  stop(): Promise<void>;
}

/** A Prometheus that scrapes the pods, and KEDA, beside a cluster. */
export async function startScaling(
  cluster: KedaCluster,
  { cacheDir, say }: { readonly cacheDir: string; readonly say: (line: string) => void },
): Promise<Scaling> {
  const keda = await installKedaTools(cacheDir, say);
  const { prometheus: program } = await installFurtherChartTools(cacheDir, say);
  const stops = new StopOrder();
  return await stops.guard(async () => {
    const pods = await opsPorts(cluster.kubectl);
    const prometheus = await RunningPrometheus.start({
      program,
      pods,
      intervalS: SCRAPE_INTERVAL_S,
      rules: { groups: [] },
      // Removed with the cluster, also after a kill of the launcher.
      place: cluster.places.configs,
    });
    stops.add(async () => await prometheus.stop());
    noteProcess(cluster.places, 'prometheus', prometheus.pid);
    stops.add(followPods(cluster.kubectl, prometheus, pods));
    const { stop } = await startKeda(keda, cluster);
    stops.add(stop);
    return { prometheus, stop: async () => await stops.run() };
  });
}

/** Values of `workers.autoscaling` for workers that follow their queue, from none to three. */
export function autoscalingOf({ prometheus }: Scaling): object {
  const prometheusAddress = prometheus.url;
  return { mode: 'keda', min: 0, max: 3, pollingSeconds: 5, cooldownSeconds: 30, prometheusAddress };
}

/** Returns what ends it. */
function followPods(
  kubectl: Kubectl,
  prometheus: RunningPrometheus,
  first: Readonly<Record<string, string>>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (): Promise<void> => {
    for (let known = JSON.stringify(first); !signal.aborted;) {
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
      // The API server may be away for a moment, and stops before this loop.
      const pods = await opsPorts(kubectl).catch(() => null);
      if (pods === null || JSON.stringify(pods) === known) continue;
      await prometheus.scrape(pods);
      known = JSON.stringify(pods);
    }
  };
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
  };
}

interface PodSpec {
  readonly containers: readonly {
    readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  }[];
}

/** URLs of the operations ports of the pods that run, by pod. */
async function opsPorts(kubectl: Kubectl): Promise<Readonly<Record<string, string>>> {
  const pods = await kubectl.list('pods', '-n', NAMESPACE, '--field-selector', 'status.phase=Running');
  const found = pods.flatMap(({ metadata, spec, status }) => {
    const ports = (spec as unknown as PodSpec).containers.flatMap((container) => container.ports ?? []);
    const port = ports.find(({ name }) => name === 'ops')?.containerPort;
    const ip = status?.['podIP'];
    return port === undefined || typeof ip !== 'string' ? [] : [[metadata.name, `http://${ip}:${port}`] as const];
  });
  return Object.fromEntries(found.sort());
}
