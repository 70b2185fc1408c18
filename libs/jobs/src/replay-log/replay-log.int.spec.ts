import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { replayLog } from './replay-log.js';
import type { ReplayOptions, ReplayProgress } from './replay-log.js';

describe('a replay of the log', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  const bus = new MemoryMessageBus();
  const heard = new Map<string, BusMessage<JobMessage>[]>([
    [JOB_EVENTS_TOPIC, []],
    ['other', []],
  ]);
  const bySeq = (messages: readonly BusMessage[]): unknown[] =>
    messages
      .toSorted((a, b) => Number(a.headers['seq']) - Number(b.headers['seq']))
      .map(({ id, payload }) => [id, payload]);
  const live = (): BusMessage<JobMessage>[] => heard.get(JOB_EVENTS_TOPIC)!;

  beforeAll(async () => {
    db = await openDatabase();
    for (const [topic, messages] of heard)
      await bus.subscribe(topic, 'spec', async (batch) => {
        messages.push(...(batch as readonly BusMessage<JobMessage>[]));
        await Promise.resolve();
      });
    one = await openJobs(db, {}, { bus });
    const me = someAccount();
    for (let n = 0; n < 5; n++) await submitted(one, me);
    await until(async () => await Promise.resolve(live().length === 5), 'the relay');
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  async function replayed(options: Partial<ReplayOptions>): Promise<ReplayProgress> {
    const client = await db.pool('heddle_jobs').connect();
    try {
      return await replayLog({ database: client, bus, fromSeq: 1, ...options });
    } finally {
      client.release();
    }
  }

  it('gives the messages of the relay again, under an epoch that grows', async () => {
    const before = live().splice(0);
    expect(before.map(({ headers }) => headers['epoch'])).toEqual(before.map(() => undefined));
    expect(await replayed({ fromSeq: 2, toSeq: 4 })).toEqual({ published: 3, seq: 4, toSeq: 4 });
    const first = live().splice(0);
    // The bus in memory hands over each job for itself.
    expect(bySeq(first)).toEqual(bySeq(before).slice(1, 4));
    await db.advanceClock(1_000);
    await replayed({});
    const epochs = [...first, ...live().splice(0)].map(({ headers }) => Number(headers['epoch']));
    expect(new Set(epochs).size).toBe(2);
    expect(epochs[3]! - epochs[0]!).toBeGreaterThanOrEqual(1_000);
  });

  it('publishes to another topic, and nothing after it was interrupted', async () => {
    await replayed({ topic: 'other' });
    expect([heard.get('other')!.length, live().length]).toEqual([5, 0]);
    const stop = AbortSignal.abort(new Error('interrupted'));
    await expect(replayed({ topic: 'other', signal: stop })).rejects.toThrow('interrupted');
    expect(heard.get('other')).toHaveLength(5);
  });
});
