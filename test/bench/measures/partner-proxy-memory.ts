import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import { withDatabase } from '../../api/database.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { rssMib } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';

const TASKS = 10_000;
const WITHIN_MS = 180_000;
/** What the first request loads has settled. */
const SETTLE_MS = 5_000;
const IMAGE = 'https://images.example.com/a.png';
const VIDEO = {
  model: 'vendorq2-turbo',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};

/** Row P4: what a process holds for tasks under way once the vendor was asked about each, beside a proxy with one task. */
export async function measurePartnerProxyMemory(): Promise<Sample> {
  const vendor = await openSlowVendor();
  const heddle = await startStandalone({
    env: { HEDDLE_WORKERS: '0', HEDDLE_VIDEOVENDOR_URL: vendor.url, HEDDLE_VIDEOVENDOR_KEY: 'a-key-of-the-bench' },
  });
  try {
    const url = `${heddle.url}/registry/proxy/videovendor/multiframe`;
    const made = await fetch(url, { method: 'POST', body: JSON.stringify(VIDEO) });
    if (!made.ok) throw new Error(`${made.status}: ${await made.text()}`);
    await wait(SETTLE_MS);
    const before = await heldBy(heddle.pid);
    await withDatabase(heddle.dataDir, (client) =>
      client.query(
        `insert into partner_proxy.task
           (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, created_at, step_at)
         select gen_random_uuid(), account_id, vendor, 'under_way', 'queueing', price, md5(n::text), 'under-way-' || n,
           now() - interval '1 minute', now() - interval '1 minute'
         from partner_proxy.task, generate_series(1, $1::int) n`,
        [TASKS],
      ),
    );
    const allAsked = (): boolean => vendor.asked.size >= TASKS;
    await eventually('a status call about each task', () => Promise.resolve(allAsked()), WITHIN_MS);
    return { 'under-way.before': before, 'under-way.held': await heldBy(heddle.pid) };
  } finally {
    await heddle.stop();
    await vendor.close();
  }
}

/** Resident memory without what earlier calls left behind, in MiB. */
async function heldBy(pid: number): Promise<number> {
  await collectGarbage(pid);
  return rssMib(pid);
}

interface SlowVendor {
  readonly url: string;
  /** The tasks that it was asked about. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Takes every task, and never ends one. */
async function openSlowVendor(): Promise<SlowVendor> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    const [, id] = /tasks\/([\w-]+)\/creations/.exec(request.url ?? '') ?? [];
    if (id !== undefined) asked.add(id);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(id === undefined ? { task_id: 'first' } : { state: 'processing', creations: [] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
