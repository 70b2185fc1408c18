import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { openDatabase, openJobs, someAccount, submitted } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

interface Replica {
  readonly open: OpenJobs;
  readonly metrics: MetricsRegistry;
}

let db: TestDatabase;
const replicas: Replica[] = [];

beforeAll(async () => {
  db = await openDatabase();
});
afterAll(async () => {
  await Promise.all(replicas.map(async ({ open }) => await open.close()));
  await db.drop();
});

async function start(address: string): Promise<OpenJobs> {
  const metrics = new MetricsRegistry();
  const open = await openJobs(db, {}, { metrics, address, bus: new MemoryMessageBus() });
  replicas.push({ open, metrics });
  return open;
}

/** Of each replica: 1 where it has the part of the log in hand. */
async function controllers(of: 'sequencer' | 'relay'): Promise<readonly number[]> {
  return await Promise.all(
    replicas.map(async ({ metrics }) => {
      const line = new RegExp(`^heddle_log_controller\\{of="${of}"\\} (\\S+)$`, 'm');
      return Number(line.exec(await metrics.metrics())?.[1]);
    }),
  );
}

it('is one replica of two, and the other one once the first has stopped', async () => {
  await submitted(await start('one'), someAccount());
  for (const of of ['sequencer', 'relay'] as const) await expect.poll(async () => await controllers(of)).toEqual([1]);
  await start('other');
  for (const of of ['sequencer', 'relay'] as const)
    await expect.poll(async () => await controllers(of)).toEqual([1, 0]);
  await replicas.shift()!.open.close();
  for (const of of ['sequencer', 'relay'] as const) await expect.poll(async () => await controllers(of)).toEqual([1]);
});
