import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TaskCreditsFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';

const TASKS = 500;
const READERS = 3;
const POLL_MS = 600_000;

describe('500 tasks under way', () => {
  /** Status calls by the vendor's id of the task. */
  const calls = new Map<string, number>();
  const vendor = createServer((request, response) => {
    const [, id = ''] = /tasks\/([\w-]+)\/creations/.exec(request.url ?? '') ?? [];
    calls.set(id, (calls.get(id) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ state: 'processing', creations: [] }));
  });
  let proxy: TestProxy;
  let ids: readonly string[];

  beforeAll(async () => {
    await new Promise<void>((done) => vendor.listen(0, '127.0.0.1', done));
    const { port } = vendor.address() as AddressInfo;
    proxy = await TestProxy.open({ pollMs: POLL_MS }, new TaskCreditsFake(0), `http://127.0.0.1:${port}`);
    const { rows } = await proxy.database.owner.query<{ id: string }>(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id)
       select gen_random_uuid(), $1, 'video', 'under_way', 'queueing', 0, md5(n::text), 'v-' || n from generate_series(1, $2::int) n
       returning task_id as id`,
      [ACCOUNTS['key-ann'], TASKS],
    );
    ids = rows.map(({ id }) => id);
  });
  afterAll(async () => {
    await proxy.close();
    vendor.closeAllConnections();
    await new Promise((done) => vendor.close(done));
  });

  /** Every task by several callers at once. */
  async function readAll(): Promise<readonly string[]> {
    const waiting = ids.flatMap((id) => Array<string>(READERS).fill(id));
    const states: string[] = [];
    const read = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
        states.push((await proxy.readVideo(id)).body.state as string);
    };
    await Promise.all([...Array.from({ length: 32 }, read), proxy.sweep()]);
    return states;
  }

  it('are polled once each in HEDDLE_PROXY_POLL_S, however many ask', { timeout: 60_000 }, async () => {
    for (const polls of [1, 2]) {
      const states = await readAll();
      // Who read the row between the claim of the first poll and its report may still get what was there before.
      const before = polls === 1 ? ['queueing'] : [];
      expect(states.filter((state) => !['processing', ...before].includes(state))).toEqual([]);
      expect([calls.size, new Set(calls.values())]).toEqual([TASKS, new Set([polls])]);
      await proxy.database.advanceClock(POLL_MS);
    }
  });
});
