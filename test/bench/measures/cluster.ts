import { withCluster, withServers } from '../cluster/running-cluster.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';
import { measureIdleMemory, measureStreamMemory } from './cluster-memory.ts';
import { measureLiveAcross } from './cluster-live.ts';
import { measureStartAcross } from './cluster-start.ts';
import { measureSubmitAcross } from './cluster-submit.ts';
import { coalescedFloor } from './submit.ts';

const ONE_OF_EACH = 'gateway=1,jobs=1,worker=1';
const TWO_OF_EACH = 'gateway=2,jobs=2,worker=2';

/** Rows of the cluster, compared with the floors of the same run. */
export async function measureCluster(bench: BenchServers): Promise<Sample> {
  const floor = await coalescedFloor(bench);
  return await withServers(async (servers) => {
    const one = await withCluster(servers, ONE_OF_EACH, async (running) => ({
      ...(await measureIdleMemory(running)),
      // First, before the gateway's heap grows.
      ...(await measureStreamMemory(running)),
      ...(await measureStartAcross(running, 'cluster-start1', 1)),
      ...(await measureSubmitAcross(running)),
    }));
    const two = await withCluster(servers, TWO_OF_EACH, async (running) => ({
      ...(await measureStartAcross(running, 'cluster-start2', 2)),
      ...(await measureLiveAcross(running)),
    }));
    return { ...floor, ...one, ...two };
  });
}
