import { randomUUID } from 'node:crypto';
import type { BenchCluster, ServiceName } from '../cluster/running-cluster.ts';
import { post, runLoad } from '../http-load.ts';
import { cpuUs, treeCpuUs } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

/** Warm-up time, in which the JIT compiler of the broker settles too */
const WARM_MS = 8000;
const MEASURE_MS = 3000;
const SERVICES: readonly ServiceName[] = ['gateway', 'validation', 'jobs', 'assets'];

/**
 * Row S1c: CPU of a submission in the client, every service and the database; 64 connections, no workers. Includes the relay
 * to Kafka and its consumers. The broker's CPU is reported separately.
 */
export async function measureSubmitAcross(running: BenchCluster, measureMs = MEASURE_MS): Promise<Sample> {
  await running.withoutWorkers();
  const port = running.gatewayPorts[0]!;
  const body = JSON.stringify({ workflow: tenNodes() });
  const read = (): Record<string, number> => ({
    client: cpuUs(process.pid),
    database: treeCpuUs(running.databasePid),
    broker: cpuUs(running.brokerPid),
    ...Object.fromEntries(
      SERVICES.map((service) => [service, running.pidsOf(service).reduce((us, pid) => us + cpuUs(pid), 0)]),
    ),
  });
  let opened: Record<string, number> = {};
  let closed: Record<string, number> = {};
  const load = {
    port,
    connections: 64,
    warmMs: WARM_MS,
    measureMs,
    request: () => post('/api/v2/jobs', body, { host: `127.0.0.1:${port}`, 'idempotency-key': randomUUID() }),
    expectStatus: 201,
  };
  const result = await runLoad(load, { open: () => (opened = read()), close: () => (closed = read()) });
  const each = Object.entries(closed).map(([part, us]) => [part, (us - opened[part]!) / result.count] as const);
  const cpu = each.reduce((sum, [part, us]) => (part === 'broker' ? sum : sum + us), 0);
  const broker = each.find(([part]) => part === 'broker')?.[1] ?? NaN;
  process.stderr.write(
    `  CPU of a submission: ${each.map(([part, us]) => `${part} ${us.toFixed(0)}`).join(', ')} us\n`,
  );
  return {
    'cluster-submit.cpu': cpu,
    'cluster-submit.cpu-with-broker': cpu + broker,
    'cluster-submit.rate': result.perSecond,
    'cluster-submit.p99': result.p99Ms,
  };
}
