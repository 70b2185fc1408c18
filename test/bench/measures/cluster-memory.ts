import { startBenchWorkers } from '../cluster/bench-worker.ts';
import type { BenchCluster, ServiceName } from '../cluster/running-cluster.ts';
import { openStream } from '../cluster/sse-client.ts';
import type { StreamClient } from '../cluster/sse-client.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { pause } from '../http-load.ts';
import { rssMib, treePssMib } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';
import { submitTo } from './cluster-live.ts';

const QUIET_MS = 5000;
const STREAMS = 5000;
const AT_ONCE = 50;
const SERVICES: readonly ServiceName[] = ['gateway', 'validation', 'jobs', 'assets', 'worker'];

/** Row C6: an idle cluster with one replica of each service, its database and its S3 server. */
export async function measureIdleMemory(running: BenchCluster): Promise<Sample> {
  await pause(QUIET_MS);
  const parts = SERVICES.map((service) => [service, sumOfPss(running.pidsOf(service))] as const);
  const servers = [
    ['database', treePssMib(running.databasePid)],
    ['s3', treePssMib(running.s3Pid)],
  ] as const;
  const all = [...parts, ...servers];
  process.stderr.write(`  idle PSS: ${all.map(([part, mib]) => `${part} ${mib.toFixed(0)}`).join(', ')} MiB\n`);
  return { 'cluster-idle.pss': all.reduce((sum, [, mib]) => sum + mib, 0) };
}

function sumOfPss(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + treePssMib(pid), 0);
}

/** Row E3c: memory of one more idle stream of a running job in the gateway. */
export async function measureStreamMemory(running: BenchCluster): Promise<Sample> {
  const env = await running.withoutWorkers();
  const workers = await startBenchWorkers(env, { count: 1, slots: 1 });
  const port = running.gatewayPorts[0]!;
  const pid = running.pidsOf('gateway')[0]!;
  const streams: StreamClient[] = [];
  try {
    const path = `/api/v2/jobs/${await submitTo(port, tenNodes())}/events`;
    const run = await workers.nextRun();
    await collectGarbage(pid);
    const before = rssMib(pid);
    while (streams.length < STREAMS) {
      streams.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openStream(port, path)))));
    }
    await pause(1500);
    const perStream = (): number => ((rssMib(pid) - before) * 1024) / STREAMS;
    process.stderr.write(`  a stream with the garbage of its opening: ${perStream().toFixed(1)} KiB\n`);
    await collectGarbage(pid);
    const kib = perStream();
    run.end();
    return { 'cluster-sse5000.kib': kib };
  } finally {
    for (const { socket } of streams) socket.destroy();
    await workers.stop();
  }
}
