import { setTimeout as delay } from 'node:timers/promises';
import type { ControlPlane } from '../control-plane/start-control-plane.ts';
import { nextPodStep, type SimulatedPod } from './pod-life.ts';
import { SIMULATED_NODES, simulatedNodeManifest } from './simulated-node.ts';

const LOOK_INTERVAL_MS = 200;
/** A node counts as away after 50 s without a heartbeat. */
const HEARTBEAT_MS = 10_000;
const IP_PREFIX = '10.199.';

export interface SimulatedNodes {
  stop(): Promise<void>;
}

/** Nodes on which pods are only said to run: no image, no traffic, no probe. They live in this process. */
export async function startSimulatedNodes({ kubectl, api }: ControlPlane): Promise<SimulatedNodes> {
  for (const node of SIMULATED_NODES) await kubectl.apply(simulatedNodeManifest(node));
  let addresses = 0;
  const nextAddress = (): string => `${IP_PREFIX}${Math.floor(++addresses / 250) % 250}.${(addresses % 250) + 1}`;

  const heartbeat = async (): Promise<void> => {
    const now = new Date().toISOString();
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Simulated', lastHeartbeatTime: now }];
    for (const { name } of SIMULATED_NODES)
      await api.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions } });
  };
  const look = async (): Promise<void> => {
    const { items } = (await api.ask('GET', '/api/v1/pods')) as { readonly items: readonly SimulatedPod[] };
    for (const pod of items) {
      const step = nextPodStep(pod, new Date().toISOString(), nextAddress);
      const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
      // A pod that has gone or changed in the meantime is looked at again.
      const done = (): undefined => undefined;
      if (step.kind === 'remove') await api.ask('DELETE', path, { gracePeriodSeconds: 0 }).catch(done);
      if (step.kind === 'report') await api.ask('PATCH', `${path}/status`, { status: step.status }).catch(done);
    }
  };

  await heartbeat();
  const stopping = new AbortController();
  const loop = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) {
      // The API server may be busy or stopping: the next round tries again.
      await work().catch(() => undefined);
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const loops = [loop(HEARTBEAT_MS, heartbeat), loop(LOOK_INTERVAL_MS, look)];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
