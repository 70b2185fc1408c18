import { randomUUID } from 'node:crypto';
import { startBenchWorkers } from '../cluster/bench-worker.ts';
import type { BenchCluster } from '../cluster/running-cluster.ts';
import { pause, post, requester } from '../http-load.ts';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

const WARM = 60;
const TURNS = 300;
/** Time for a worker's new poll to arrive before the next job */
const SETTLE_MS = 10;

/** Row D3: from the acknowledgement at the client to the engine of the worker with the job, one job at a time. */
export async function measureStartAcross(running: BenchCluster, name: string, count: number): Promise<Sample> {
  const env = await running.withoutWorkers();
  const workers = await startBenchWorkers(env, { count, slots: 1 });
  const body = JSON.stringify({ workflow: tenNodes() });
  const clients = await Promise.all(running.gatewayPorts.map((port) => requester(port)));
  const toStart: number[] = [];
  const toAnswer: number[] = [];
  try {
    for (let turn = 0; turn < WARM + TURNS; turn += 1) {
      await workers.idle();
      await pause(SETTLE_MS);
      const begun = workers.nextRun();
      const sent = performance.now();
      const status = await clients[turn % clients.length]!.send(
        post('/api/v2/jobs', body, { 'idempotency-key': randomUUID() }),
      );
      const acknowledged = performance.now();
      if (status !== 201) throw new Error(`a submission was answered ${status}`);
      const run = await begun;
      run.end();
      if (turn < WARM) continue;
      toStart.push(Math.max(0, run.at - acknowledged));
      toAnswer.push(acknowledged - sent);
    }
  } finally {
    for (const client of clients) client.close();
    await workers.stop();
  }
  return { ...quantiles(name, toStart), ...quantiles(`${name}-answer`, toAnswer) };
}
