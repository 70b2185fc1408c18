import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobMessage } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { TestDatabase } from '@heddle/testing-database';
import {
  leased,
  dropConsistent,
  openDatabase,
  openJobs,
  outputOf,
  progressOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the relay', () => {
  let db: TestDatabase;
  let one: OpenJobs | undefined;
  let bus = new MemoryMessageBus();
  const received: { readonly seq: number; readonly trace: string | undefined; readonly message: JobMessage }[] = [];
  const listen = async (): Promise<void> => {
    await bus.subscribe(JOB_EVENTS_TOPIC, 'test', async (batch) => {
      for (const { headers, payload } of batch) {
        received.push({ seq: Number(headers['seq']), trace: headers['traceparent'], message: payload as JobMessage });
      }
      await Promise.resolve();
    });
  };
  const open = async (alone = true): Promise<OpenJobs> => (one = await openJobs(db, {}, { bus, alone }));
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(async () => {
    await one?.close();
    await dropConsistent(db);
  });

  it('publishes every event in the order of the log, with what readers need and no more', async () => {
    await listen();
    const jobs = await open();
    const me = someAccount();
    const assetId = newUuid() as AssetId;
    const input = { assetId, hash: `blake3:${'0'.repeat(64)}`, sizeBytes: 1, filePath: 'a.png', name: null };
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { id } = await submitted(jobs, me, { inputs: [input], idempotencyKey: 'secret-ish', traceparent });
    const lease = await leased(jobs, me);
    const output = { ...outputOf('9/0/0'), name: 'a\0b"c.png' };
    await jobs.leases.ingest([reportOf(lease, 1, { kind: 'output_committed', output }), reportOf(lease, 2, succeeded)]);
    await until(async () => await Promise.resolve(received.length === 4), 'the relay');
    expect(received.map(({ seq, message }) => [seq, message.version, message.type, message.status])).toEqual([
      [1, 1, 'JobSubmitted', 'queued'],
      [2, 2, 'JobLeased', 'running'],
      [3, 3, 'OutputCommitted', 'running'],
      [4, 4, 'JobSucceeded', 'succeeded'],
    ]);
    // Every message of a job carries its trace.
    expect(received.map(({ trace }) => trace)).toEqual(received.map(() => traceparent));
    expect(received[0]?.message).toMatchObject({ jobId: id, ...me, inputAssetIds: [assetId] });
    expect(received[0]?.message.submission).toEqual({ nodesTotal: 1, metadata: {}, surface: 'self-hosted' });
    expect(received[1]?.message.lease).toEqual({ attempt: 1, workerId: 'worker-a', environment: 'builtin/0.1.0' });
    expect(received[2]?.message.output).toEqual(output);
    expect(received[3]?.message.progress).toEqual(progressOf(1));
    expect(received.map(({ message }) => message.outputAssetIds)).toEqual([
      undefined,
      undefined,
      undefined,
      [output.assetId],
    ]);
    expect(JSON.stringify(received)).not.toContain('secret-ish');
  });

  it('goes on where it stopped, and knows the status of jobs that it has not seen', async () => {
    const me = someAccount();
    const first = await open0();
    const traceparent = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
    await submitted(first, me, { traceparent });
    const lease = await leased(first, me);
    await first.jobs.cancel(me, lease.jobId);
    await until(async () => await Promise.resolve(received.at(-1)?.message.type === 'CancelRequested'), 'the relay');
    await first.close();
    received.length = 0;
    bus = new MemoryMessageBus();
    await listen();
    // Not alone: the first one's worker may be alive, so its lease counts.
    const second = await open(false);
    const report = reportOf(lease, 1, { kind: 'output_committed', output: outputOf('9/0/0') });
    await second.leases.ingest([report]);
    await until(async () => await Promise.resolve(received.length > 0), 'the relay');
    expect(received.map(({ message }) => [message.type, message.status, message.version])).toEqual([
      ['OutputCommitted', 'canceling', 4],
    ]);
    expect(received[0]?.trace).toBe(traceparent);
  });

  async function open0(): Promise<OpenJobs> {
    return await Promise.resolve(one ?? (await open()));
  }
});
