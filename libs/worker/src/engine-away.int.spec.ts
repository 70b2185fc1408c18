import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  JobId,
  JobLease,
  WorkerAssetsPort,
  WorkerIdentity,
  WorkerReport,
  WorkListener,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';
import { newUuid, SELF_HOSTED_POOL } from '@heddle/contracts-messages';
import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { ScriptedEngine, SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { Worker } from './lease-jobs/worker.js';
import { WorkerSettings } from './settings.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'worker' } },
};

/** A job queue in memory: a job that is handed back is queued again, with its attempt unspent. */
class PaperQueue implements WorkPort {
  readonly waiting: JobLease[] = [];
  readonly handedBack: string[] = [];
  readonly reports: WorkerReport[] = [];
  /** Reports are stored once this resolves. */
  disk: Promise<void> = Promise.resolve();
  /** Number of slot offers. */
  asked = 0;
  #free = 0;
  #give: (leases: readonly JobLease[]) => void = () => undefined;

  add(parts: Partial<JobLease> = {}): JobId {
    const jobId = newUuid() as JobId;
    this.waiting.push({ ...leaseOf(jobId), ...parts });
    this.#lease();
    return jobId;
  }

  open(_: WorkerIdentity, listener: WorkListener): WorkSession {
    this.#give = (leases) => listener.leases(leases);
    return {
      offer: (slots) => {
        if (slots > 0) this.asked += 1;
        this.#free = slots;
        this.#lease();
      },
      heartbeat: () => Promise.resolve([]),
      report: async (reports) => {
        await this.disk;
        this.reports.push(...reports);
        return reports.map(() => 'stored' as const);
      },
      show: async (report) => await Promise.resolve(void this.reports.push(report)),
      handBack: async ({ jobId }) => {
        this.handedBack.push(jobId);
        this.waiting.push(leaseOf(jobId));
        await Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
  }

  #lease(): void {
    const leases = this.waiting.splice(0, this.#free);
    this.#free -= leases.length;
    if (leases.length > 0) queueMicrotask(() => this.#give(leases));
  }
}

function leaseOf(jobId: JobId): JobLease {
  return {
    jobId,
    fence: 1,
    workerId: 'worker-a',
    accountId: newUuid() as JobLease['accountId'],
    deploymentId: newUuid() as JobLease['deploymentId'],
    attempt: 1,
    workflow: Buffer.from(JSON.stringify(GRAPH)),
    nodesTotal: 2,
    inputs: [],
    credentials: null,
    progressFloor: 0,
    leaseSeconds: 30,
    maxRuntimeSeconds: 60,
    jobExpiresAt: '2100-01-01T00:00:00.000Z',
    traceparent: null,
  };
}

const stored: WorkerAssetsPort = {
  openInput: () => Promise.reject(new Error('these jobs have no inputs')),
  blockedInputs: () => Promise.resolve([]),
  commitOutput: async (_, { body }) => {
    const bytes = await buffer(body);
    return { assetId: newUuid() as never, hash: 'blake3:0', sizeBytes: bytes.length };
  },
};

describe('a worker in front of a real engine', () => {
  let engine: ScriptedEngine;
  let driver: ComfyUiEngine;
  let queue: PaperQueue;
  let worker: Worker;

  beforeEach(async () => {
    engine = await ScriptedEngine.start();
    const timing = {
      unreachableMs: 3_000,
      pollMs: 200,
      blindPollMs: 100,
      reconnectMs: 100,
      callMs: 5_000,
      vanishedMs: 300,
    };
    driver = new ComfyUiEngine({ url: engine.url, timing });
    queue = new PaperQueue();
    const ports = { engine: driver, work: queue, assets: stored, tracer: null };
    worker = new Worker(ports, 'worker-1', SELF_HOSTED_POOL, new WorkerSettings({ drainMs: 200 }));
  });
  afterEach(async () => {
    await worker.drain();
    await driver.close();
    await engine.close();
  });
  const outcome = (): unknown => queue.reports.flatMap((event) => (event.kind === 'outcome' ? [event.outcome] : []))[0];

  it('takes no job while the engine is away, and takes it when the engine is there', async () => {
    await engine.goDown();
    queue.add();
    worker.start();
    // Proves an absence: the worker asks for no job while the driver tries to connect several times.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(queue.asked).toBe(0);
    await engine.comeUp();
    await until(() => outcome() !== undefined);
    expect(outcome()).toEqual({ kind: 'succeeded' });
  });

  it('hands a job back with its attempt unspent if the engine went away before it got the graph', async () => {
    worker.start();
    await until(() => queue.asked === 1);
    await engine.goDown();
    const jobId = queue.add();
    await until(() => queue.handedBack.length === 1);
    expect(queue.handedBack).toEqual([jobId]);
    expect(outcome()).toBeUndefined();
    await engine.comeUp();
    await until(() => outcome() !== undefined);
    expect(outcome()).toEqual({ kind: 'succeeded' });
  });

  it.each([
    ['has the engine forget before a job of another account', newUuid(), 2],
    ['never has it forget on the self-hosted surface', SELF_HOSTED_POOL.deploymentId, 0],
  ])('%s', async (_, deploymentId, times) => {
    worker.start();
    // Each job is of another account.
    for (const count of [1, 2]) {
      queue.add({ deploymentId: deploymentId as JobLease['deploymentId'] });
      await until(() => queue.reports.filter(({ kind }) => kind === 'outcome').length === count);
    }
    expect(engine.requests.filter(({ path }) => path === '/free')).toHaveLength(times);
  });

  it('spends the attempt if the engine was restarted in the middle', async () => {
    engine.onNextPrompt((play) => {
      play.begin('1');
      return play.deaf();
    });
    worker.start();
    queue.add();
    await until(() => engine.prompts.length === 1);
    await engine.restart();
    await until(() => outcome() !== undefined);
    expect(outcome()).toEqual({ kind: 'lost', reason: expect.stringContaining('restarted') });
  });

  it('reports the last preview before the outcome, and the outcome with the whole progress', async () => {
    engine.onNextPrompt(async (play) => {
      play.start(['1']);
      play.begin('2');
      for (let i = 1; i <= 4; i += 1) engine.sendToAll(previewOf(play.prompt.id, Buffer.from([i])));
      play.finish('2', { images: [await play.file('p.png', SMALL_PNG)] });
    });
    worker.start();
    queue.add();
    await until(() => outcome() !== undefined);
    const previews = queue.reports.flatMap((event) => (event.kind === 'preview' ? [event.data[0]] : []));
    expect(previews).toEqual([1, 4]);
    const order = queue.reports.map(({ kind }) => kind);
    expect(order.lastIndexOf('preview')).toBeLessThan(order.indexOf('outcome'));
    expect(queue.reports.at(-1)).toMatchObject({
      kind: 'outcome',
      progress: { value: 1, nodesDone: 2, nodesTotal: 2 },
    });
  });

  it('reports when the node that failed ran, and nothing of the kind if no node failed', async () => {
    const RUN_MS = 50;
    engine.onNextPrompt(async (play) => {
      play.start(['1']);
      play.begin('2');
      await new Promise((resolve) => setTimeout(resolve, RUN_MS));
      return play.error('2', 'boom');
    });
    const began = Date.now();
    worker.start();
    queue.add();
    await until(() => outcome() !== undefined);
    const { nodeRun, ...failure } = outcome() as { nodeRun: { startedAt: string; endedAt: string } };
    expect(failure).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '2' });
    const [start, end] = [Date.parse(nodeRun.startedAt), Date.parse(nodeRun.endedAt)];
    expect(start).toBeGreaterThanOrEqual(began);
    // A timer may fire a millisecond early.
    expect(end - start).toBeGreaterThanOrEqual(RUN_MS - 2);
    expect(end).toBeLessThanOrEqual(Date.now());
    queue.reports.length = 0;
    queue.add({ workflow: Buffer.from('{') });
    await until(() => outcome() !== undefined);
    expect(outcome()).not.toHaveProperty('nodeRun');
  });

  it('gives the engine the next job while the end of the one before is written down, and lets ends not pile up', async () => {
    const disk = Promise.withResolvers<void>();
    queue.disk = disk.promise;
    for (let i = 0; i < 4; i += 1) queue.add();
    worker.start();
    await until(() => engine.prompts.length === 2);
    await until(() => worker.slots.busy === 0);
    // Both have left the engine and wait for the disk: no third job is taken.
    expect(queue.waiting).toHaveLength(2);
    disk.resolve();
    await until(() => engine.prompts.length === 4);
  });

  it('counts cached nodes as done', async () => {
    const shown = () => queue.reports.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []));
    engine.onNextPrompt(async (play) => {
      play.start(['1']);
      play.begin('2');
      await until(() => shown().some(({ currentNode }) => currentNode === '2'));
      play.finish('2');
    });
    worker.start();
    queue.add();
    await until(() => outcome() !== undefined);
    expect(shown()).toContainEqual(expect.objectContaining({ value: 0.5, nodesDone: 1, currentNode: '2' }));
  });
});

function previewOf(promptId: string, bytes: Uint8Array): Buffer {
  const metadata = Buffer.from(JSON.stringify({ node_id: '2', prompt_id: promptId, image_type: 'image/jpeg' }));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(4, 0);
  head.writeUInt32BE(metadata.length, 4);
  return Buffer.concat([head, metadata, bytes]);
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not so in time: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
