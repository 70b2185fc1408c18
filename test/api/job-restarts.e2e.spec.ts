import {
  blake3Of,
  expectStatus,
  freshBytes,
  isTerminalFrame,
  jsonOf,
  sleepingGraph,
  textGraph,
} from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { fillSlots, newKey, ownServer, START_WITHIN_MS, useServer } from './server.js';

describe.runIf(ownServer)('a service that is stopped or killed', { timeout: START_WITHIN_MS }, () => {
  // A stall of the machine beyond the lease costs an attempt too, so the number of attempts is generous.
  const server = useServer({ HEDDLE_LEASE_S: '5', HEDDLE_MAX_ATTEMPTS: '20', HEDDLE_WORKERS: '1' });

  it('still has the job that it acknowledged the moment before, and runs it (What the service does, rule 2) [JS02]', async () => {
    const running = await server.client.submitted(sleepingGraph(6));
    await server.client.reached(running.id, 'running');
    const waiting = await server.client.submitted(textGraph('after the crash'));
    await server.restart('kill9');
    expect((await server.client.job(waiting.id)).status).toBe(200);
    await server.client.reached(running.id, 'succeeded');
    await server.client.reached(waiting.id, 'succeeded');
  });

  it('answers every asset and job that it acknowledged, wherever it was killed [XC11]', async () => {
    const asset = await server.client.uploaded({ bytes: Buffer.from('kept through the crash') });
    const jobs = await Promise.all(Array.from({ length: 10 }, () => server.client.submitted(textGraph())));
    await server.restart('kill9');
    expect((await server.client.content(asset.id)).bytes.toString()).toBe('kept through the crash');
    for (const { id } of jobs) await server.client.reached(id, 'succeeded');
  });

  it.each(['terminate', 'kill9'] as const)(
    'holds a key that was claimed before a restart by %s [ID12]',
    async (how) => {
      const key = newKey();
      const job = await server.client.submitted(textGraph(), { key });
      await server.restart(how);
      expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'idempotency_key_reuse');
      expect(jsonOf<{ id: string }>(expectStatus(await server.client.job(job.id), 200)).id).toBe(job.id);
    },
  );

  it('closes a stream without a terminal status that never happened, and has its job after the restart [EV15]', async () => {
    const release = await fillSlots(server);
    const { id } = await server.client.submitted(textGraph());
    const stream = await server.client.events(id);
    await stream.until('a status', (frame) => frame.event === 'status');
    await server.restart('terminate');
    await stream.ended;
    expect(stream.frames.some(isTerminalFrame)).toBe(false);
    expect((await server.client.jobNow(id)).status).toBe('queued');
    await release();
    await server.client.reached(id, 'succeeded');
  });

  it('takes a cursor that it issued before the restart (decisions, List)', async () => {
    for (let i = 0; i < 3; i += 1) await server.client.submitted(textGraph());
    const all = await server.client.jobPage('?limit=3');
    const first = await server.client.jobPage('?limit=1');
    await server.restart('terminate');
    const rest = await server.client.jobPage(`?limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect([...first.jobs, ...rest.jobs].map((job) => job.id)).toEqual(all.jobs.map((job) => job.id));
  });

  it('keeps every upload that it acknowledged and no half of one that it did not [XC11]', async () => {
    const acknowledged = new Map<string, Buffer>();
    let killed = false;
    const client = async (): Promise<void> => {
      while (!killed) {
        const bytes = freshBytes(300_000);
        const form = { bytes, content_type: 'a/b', file_path: 'crash.bin' };
        const answer = await server.client.upload(form).catch(() => null);
        // While services are killed one by one, one may answer that another is unreachable.
        if (answer === null || (killed && answer.status >= 500)) return;
        expectStatus(answer, 201);
        acknowledged.set((JSON.parse(answer.bytes.toString()) as { id: string }).id, bytes);
      }
    };
    const clients = Promise.all(Array.from({ length: 6 }, client));
    await expect.poll(() => acknowledged.size, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(15);
    killed = true;
    await server.restart('kill9');
    await clients;
    const held = new Set<string>();
    for (const [id, bytes] of acknowledged) {
      expect((await server.client.content(id)).bytes.equals(bytes)).toBe(true);
      held.add(blake3Of(bytes));
    }
    const large = async (): Promise<number> =>
      (await server.process.storedFiles()).filter((file) => file.size >= 100_000).length;
    // The file of a committed but unacknowledged upload may stay; unfinished files may not.
    await expect.poll(large, { timeout: 30_000, interval: 100 }).toBeLessThanOrEqual(held.size + 6);
    const odd = async (): Promise<unknown[]> =>
      (await server.process.storedFiles()).filter((file) => file.size > 1000 && file.size !== 300_000);
    await expect.poll(odd, { timeout: 30_000, interval: 100 }).toEqual([]);
  });
});
