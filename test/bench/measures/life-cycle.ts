import { randomUUID } from 'node:crypto';
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedData } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import { pause } from '../http-load.ts';
import { cpuUs, rssMib } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

const QUIET_MS = 3000;
/** Turns the compile cache off: operators and floors start without one. */
const AS_INSTALLED = { NODE_DISABLE_COMPILE_CACHE: '1' };

/** Rows C1, C2, C4 and C5: start, idle memory, graceful stop, and kill -9 under load. */
export async function measureLifeCycle(): Promise<Sample> {
  const floor = await coldNest();
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-bench-cold-'));
  try {
    // The first start creates the database; the measurement is a start on an existing one.
    await (await startStandalone({ dataDir })).stop();
    const started = await startStandalone({ dataDir, env: { ...AS_INSTALLED, HEDDLE_WORKERS: '1' } });
    const cpu = cpuUs(started.pid) / 1000;
    await pause(QUIET_MS);
    const rss = rssMib(started.pid);
    const began = performance.now();
    await started.terminate();
    const seconds = (performance.now() - began) / 1000;
    const crash = await crashUnderLoad(dataDir);
    return { ...floor, 'cold.cpu': cpu, 'cold.rss': rss, 'stop.seconds': seconds, ...crash };
  } finally {
    removeEmbeddedData(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function coldNest(): Promise<Sample> {
  const path = fileURLToPath(new URL('../floors/nest-noop.ts', import.meta.url));
  const child = fork(path, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await new Promise((resolve) => child.once('message', resolve));
  const cpu = cpuUs(child.pid ?? 0) / 1000;
  await pause(QUIET_MS);
  const rss = rssMib(child.pid ?? 0);
  child.kill('SIGKILL');
  return { 'cold-nest.cpu': cpu, 'cold-nest.rss': rss };
}

async function crashUnderLoad(dataDir: string): Promise<Sample> {
  const env = {
    ...AS_INSTALLED,
    HEDDLE_WORKERS: '0',
    HEDDLE_QUEUE_DEPTH_ACCOUNT: '10000000',
    HEDDLE_QUEUE_DEPTH: '10000000',
    HEDDLE_READ_RATE: '1000000',
  };
  const victim = await startStandalone({ dataDir, env });
  const body = JSON.stringify({ workflow: tenNodes() });
  const acknowledged: string[] = [];
  const submit = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${victim.url}/api/v2/jobs`, {
        method: 'POST',
        body,
        headers: { 'idempotency-key': randomUUID() },
      });
      if (answer.status !== 201) throw new Error(await answer.text());
      acknowledged.push(((await answer.json()) as { id: string }).id);
    }
  };
  const clients = Array.from({ length: 32 }, () => submit().catch(() => undefined));
  await pause(1500);
  await victim.kill9();
  const began = performance.now();
  await Promise.all(clients);
  const again = await startStandalone({ dataDir, port: victim.port, env });
  const seconds = (performance.now() - began) / 1000;
  let lost = 0;
  for (const id of acknowledged) {
    const { status } = await fetch(`${again.url}/api/v2/jobs/${id}`);
    if (status !== 200) lost += 1;
  }
  await again.terminate();
  return { 'crash.lost': lost, 'crash.seconds': seconds };
}
