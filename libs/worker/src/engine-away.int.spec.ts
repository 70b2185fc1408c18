import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobId, JobLease, LeasesPort, WorkerAssetsPort, WorkerEvent } from '@heddle/contracts-messages';
import { newUuid, WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { ScriptedEngine, SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { Worker } from './hold-leases/worker.js';
import { WORKER_DEFAULTS } from './worker-settings.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'worker' } },
};

/** A queue of jobs in memory: what is handed back waits again, with its attempt unspent. */
class PaperQueue implements LeasesPort {
  readonly waiting: JobLease[] = [];
  readonly handedBack: string[] = [];
  asked = 0;
  #wake: () => void = () => undefined;

  add(parts: Partial<JobLease> = {}): JobId {
    const jobId = newUuid() as JobId;
    this.waiting.push({ ...leaseOf(jobId), ...parts });
    this.#wake();
    return jobId;
  }

  async acquire(request: Parameters<LeasesPort['acquire']>[0], signal: AbortSignal): Promise<readonly JobLease[]> {
    this.asked += 1;
    if (this.waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return this.waiting.splice(0, request.slots);
  }

  async heartbeat(): Promise<[]> {
    return [];
  }

  watch(): () => void {
    return () => undefined;
  }

  async handBack(_: string, lease: { jobId: JobId }): Promise<void> {
    this.handedBack.push(lease.jobId);
    this.waiting.push(leaseOf(lease.jobId));
    this.#wake();
  }

  async ingest(): Promise<void> {}
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
  commitOutput: async (_, { body }) => {
    const bytes = await buffer(body);
    return { assetId: newUuid() as never, hash: 'blake3:0', sizeBytes: bytes.length };
  },
};

describe('a worker in front of a real engine', () => {
  const events: WorkerEvent[] = [];
  let engine: ScriptedEngine;
  let driver: ComfyUiEngine;
  let bus: MemoryMessageBus;
  let queue: PaperQueue;
  let worker: Worker;

  beforeEach(async () => {
    events.length = 0;
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
    bus = new MemoryMessageBus();
    await bus.subscribe(WORKER_EVENTS_TOPIC, 'test', async (messages) => {
      for (const { payload } of messages) events.push(payload as WorkerEvent);
    });
    queue = new PaperQueue();
    const ports = { engine: driver, bus, leases: queue, assets: stored, tracer: null };
    worker = new Worker(ports, 'worker-1', { ...WORKER_DEFAULTS, drainMs: 200 });
  });
  afterEach(async () => {
    await worker.drain();
    await driver.close();
    await bus.close();
    await engine.close();
  });
  const outcome = (): unknown => events.flatMap((event) => (event.kind === 'outcome' ? [event.outcome] : []))[0];

  it('takes no job while the engine is away, and takes it when the engine is there', async () => {
    await engine.goDown();
    queue.add();
    worker.start();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(queue.asked).toBe(0);
    await engine.comeUp();
    await until(() => outcome() !== undefined);
    expect(outcome()).toEqual({ kind: 'succeeded' });
  });

  it('hands a job back with its attempt unspent where the engine went away before it got the graph', async () => {
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

  it('spends the attempt where the engine was restarted in the middle', async () => {
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

  it('tells the last preview before the outcome, and whole progress with it', async () => {
    engine.onNextPrompt(async (play) => {
      play.start(['1']);
      play.begin('2');
      for (let i = 1; i <= 4; i += 1) engine.sendToAll(previewOf(play.prompt.id, Buffer.from([i])));
      play.finish('2', { images: [await play.file('p.png', SMALL_PNG)] });
    });
    worker.start();
    queue.add();
    await until(() => outcome() !== undefined);
    const previews = events.flatMap((event) =>
      event.kind === 'preview' ? [Buffer.from(event.dataBase64, 'base64')[0]] : [],
    );
    expect(previews).toEqual([1, 4]);
    const order = events.map(({ kind }) => kind);
    expect(order.lastIndexOf('preview')).toBeLessThan(order.indexOf('outcome'));
    expect(events.at(-1)).toMatchObject({ kind: 'outcome', progress: { value: 1, nodesDone: 2, nodesTotal: 2 } });
  });

  it('gives the engine the next job while the end of the one before is written down, and lets ends not pile up', async () => {
    const disk = Promise.withResolvers<void>();
    const held = new MemoryMessageBus();
    await held.subscribe(WORKER_EVENTS_TOPIC, 'disk', async () => await disk.promise);
    const ports = { engine: driver, bus: held, leases: queue, assets: stored, tracer: null };
    const patient = new Worker(ports, 'worker-2', { ...WORKER_DEFAULTS, busPatienceMs: 20_000, drainMs: 200 });
    for (let i = 0; i < 4; i += 1) queue.add();
    patient.start();
    try {
      await until(() => engine.prompts.length === 2);
      await until(() => patient.slots.busy === 0);
      // Both have left the engine and wait for the disk: a third is not taken.
      expect(queue.waiting).toHaveLength(2);
      disk.resolve();
      await until(() => engine.prompts.length === 4);
    } finally {
      disk.resolve();
      await patient.drain();
      await held.close();
    }
  });

  it('counts cached nodes as done', async () => {
    engine.onNextPrompt(async (play) => {
      play.start(['1']);
      play.begin('2');
      await new Promise((resolve) => setTimeout(resolve, 600));
      play.finish('2');
    });
    worker.start();
    queue.add();
    await until(() => outcome() !== undefined);
    const shown = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []));
    expect(shown).toContainEqual(expect.objectContaining({ value: 0.5, nodesDone: 1, currentNode: '2' }));
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
