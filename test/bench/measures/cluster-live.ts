import { startBenchWorkers } from '../cluster/bench-worker.ts';
import type { BenchRun } from '../cluster/bench-worker.ts';
import { liveFloor } from '../cluster/live-floor.ts';
import type { BenchCluster } from '../cluster/running-cluster.ts';
import { openStream } from '../cluster/sse-client.ts';
import type { StreamClient } from '../cluster/sse-client.ts';
import { pause } from '../http-load.ts';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

const JOBS = 20;
const WARM = 40;
const TURNS = 400;
/** A job sends frames of one kind every 0.5 s, so twenty jobs in turn give one event every 32 ms. */
const BETWEEN_MS = 32;

/**
 * Row E7: from the engine's report in a worker to the frame at a client of another gateway than the submission's. One event
 * at a time, each followed by a bare produce and consume on the same broker.
 */
export async function measureLiveAcross(running: BenchCluster): Promise<Sample> {
  const env = await running.withoutWorkers();
  const workers = await startBenchWorkers(env, { count: 1, slots: JOBS });
  const floor = await liveFloor(running.servers.brokers);
  const [taking, serving] = [running.gatewayPorts[0]!, running.gatewayPorts.at(-1)!];
  const [frames, bare]: [number[], number[]] = [[], []];
  try {
    const jobs: WatchedRun[] = [];
    while (jobs.length < JOBS) jobs.push(await watchedRun(taking, serving, () => workers.nextRun()));
    const bytes = Buffer.alloc(600, 'x');
    for (let turn = 0; turn < WARM + TURNS; turn += 1) {
      const { run, stream } = jobs[turn % JOBS]!;
      const arrival = stream.next(`"step":${turn},`);
      const began = performance.now();
      run.observer.nodeProgress({ nodeId: '1', step: turn, steps: 1_000_000 });
      const frame = (await arrival) - began;
      const floorOne = await floor.once(bytes);
      if (turn >= WARM) {
        frames.push(frame);
        bare.push(floorOne);
      }
      await pause(Math.max(0, BETWEEN_MS - (performance.now() - began)));
    }
    for (const { run, stream } of jobs) {
      stream.socket.destroy();
      run.end();
    }
  } finally {
    await workers.stop();
    await floor.close();
  }
  return { ...quantiles('live', frames), ...quantiles('live-floor', bare) };
}

interface WatchedRun {
  readonly run: BenchRun;
  readonly stream: StreamClient;
}

async function watchedRun(taking: number, serving: number, nextRun: () => Promise<BenchRun>): Promise<WatchedRun> {
  const id = await submitTo(taking, tenNodes());
  const run = await nextRun();
  const stream = await openStream(serving, `/api/v2/jobs/${id}/events`);
  run.observer.nodeStarted({ nodeId: '1', classType: 'EmptyImage' });
  return { run, stream };
}

/** Submits a job, and resolves with its id. */
export async function submitTo(port: number, workflow: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/jobs`, {
    method: 'POST',
    body: JSON.stringify({ workflow }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
}
