import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, DurableReport, JobLease, WorkerAssetsPort, WorkSession } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import { LeaseReporter } from '../report-events/lease-reporter.js';
import { AttemptTrace } from '../trace-attempt/attempt-trace.js';
import { WorkerSettings } from '../settings.js';
import { AttemptControl } from './attempt-control.js';
import { OutputIntake } from './output-intake.js';
import { OutputStore } from './output-store.js';

/** Stores each output in memory once the test allows it. */
class GatedAssets implements WorkerAssetsPort {
  readonly stored = new Map<string, string>();
  readonly asked: string[] = [];
  readonly #gates = new Map<string, () => void>();
  failures: Error[] = [];

  openInput(): Promise<Readable> {
    return Promise.reject(new Error('this run has no inputs'));
  }

  blockedInputs(): Promise<readonly AssetId[]> {
    return Promise.resolve([]);
  }

  async commitOutput(_: unknown, { key, body }: Parameters<WorkerAssetsPort['commitOutput']>[1]) {
    this.asked.push(key);
    const bytes = await buffer(body);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    await new Promise<void>((resolve) => this.#gates.set(key, resolve));
    this.stored.set(key, bytes.toString());
    return { assetId: newUuid() as AssetId, hash: 'blake3:0', sizeBytes: bytes.length };
  }

  /** Waits for the output, then lets it be stored. */
  async let(key: string): Promise<void> {
    await expect.poll(() => this.#gates.has(key), { interval: 1, timeout: 10_000 }).toBe(true);
    this.#gates.get(key)?.();
  }
}

describe('outputs of a run', () => {
  const reported: string[] = [];
  let assets: GatedAssets;
  let control: AttemptControl;
  let reporter: LeaseReporter;
  let intake: OutputIntake;

  beforeEach(() => {
    reported.length = 0;
    const report = async (reports: readonly DurableReport[]) => {
      for (const one of reports) if (one.kind === 'output_committed') reported.push(one.output.key);
      return await Promise.resolve(reports.map(() => 'stored' as const));
    };
    const lease = { jobId: newUuid(), fence: 1, traceparent: null } as unknown as JobLease;
    const settings = new WorkerSettings({ keptOutputBytes: 10, maxOutputBytes: 100 });
    assets = new GatedAssets();
    control = new AttemptControl();
    reporter = new LeaseReporter({ report } as unknown as WorkSession, lease, settings);
    const store = new OutputStore(assets, new AttemptTrace(null, lease), control, settings);
    intake = new OutputIntake(store, reporter, control, settings);
  });
  afterEach(() => reporter.abandon());

  const output = (key: string, text: string, sizeBytes: number | null = text.length): EngineOutput => ({
    nodeId: '2',
    key,
    name: `${key}.txt`,
    type: 'text',
    contentType: 'text/plain',
    sizeBytes,
    open: async () => Readable.from([Buffer.from(text)], { objectMode: false }),
  });

  it('let the engine continue before they are stored, and are reported in their order', async () => {
    await intake.take(output('a', 'one'));
    await intake.take(output('b', 'two'));
    await assets.let('b');
    await expect.poll(() => assets.stored.get('b'), { timeout: 10_000 }).toBe('two');
    expect(reported).toEqual([]);
    await assets.let('a');
    await intake.settled();
    await reporter.flush();
    expect(reported).toEqual(['a', 'b']);
  });

  it.each([
    ['larger than the budget', 11],
    ['of a size that nobody knows', null],
  ])('%s are waited for, and come after those before them', async (_, sizeBytes) => {
    await intake.take(output('small', 'one'));
    let taken = false;
    const taking = intake.take(output('large', 'eleven char', sizeBytes)).then(() => (taken = true));
    await assets.let('large');
    await expect.poll(() => assets.stored.has('large'), { timeout: 10_000 }).toBe(true);
    expect([taken, reported]).toEqual([false, []]);
    await assets.let('small');
    await taking;
    await reporter.flush();
    expect(reported).toEqual(['small', 'large']);
  });

  it('are stored from memory again after an outage of the assets service', async () => {
    assets.failures = [Object.assign(new Error('away'), { code: 'ServiceAwayError' })];
    await intake.take(output('a', 'one'));
    await assets.let('a');
    await intake.settled();
    expect(assets.asked).toEqual(['a', 'a']);
    expect(assets.stored.get('a')).toBe('one');
  });

  it('stop the run if one cannot be stored', async () => {
    assets.failures = [new Error('the disk is full')];
    await intake.take(output('a', 'one'));
    await expect.poll(() => intake.broken.aborted, { timeout: 10_000 }).toBe(true);
    await expect(intake.take(output('b', 'two'))).rejects.toThrow('the disk is full');
    await expect(intake.settled()).rejects.toThrow('the disk is full');
    expect(control.reason).toBeNull();
  });

  it('end the job if the engine announces one over the limit', async () => {
    await intake.take(output('a', 'x', 101));
    expect(control.reason).toBe('output_limit');
    expect(assets.asked).toEqual([]);
  });

  it('end the job if one turns out to be over the limit', async () => {
    await expect(intake.take(output('b', 'x'.repeat(101), null))).rejects.toThrow('larger than the limit');
    expect(control.reason).toBe('output_limit');
    expect(assets.stored.size).toBe(0);
  });
});
