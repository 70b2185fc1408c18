import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { RecordingObserver } from '@heddle/testing-engine';
import { ENGINE_URL } from './real-engine.js';

const ROUNDS = 300;
const WARM_UP = 20;

/** Makes each graph unique, so that nothing is cached */
let round = Math.floor(Math.random() * 1e9);
const GRAPHS = {
  text: () => ({
    '1': { class_type: 'PrimitiveInt', inputs: { value: (round += 1) } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  }),
  'picture of 64 x 64': () => ({
    '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: (round += 1) % 0xffffff } },
    '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  }),
} as const;

// Runs the same graphs in turn: directly through the engine's socket, and through the driver with outputs.
describe('what the driver adds on a real engine', () => {
  const engine = new ComfyUiEngine({ url: ENGINE_URL });
  const clientId = crypto.randomUUID();
  let socket: WebSocket;
  beforeAll(async () => {
    await engine.whenReady(AbortSignal.timeout(20_000));
    socket = new WebSocket(`${ENGINE_URL.replace(/^http/, 'ws')}/ws?clientId=${clientId}`);
    await new Promise((resolve) => socket.once('open', resolve));
  });
  afterAll(async () => {
    socket.close();
    await engine.close();
  });

  async function direct(graph: object): Promise<void> {
    const promptId = crypto.randomUUID();
    const over = new Promise<void>((resolve) => {
      const hear = (data: Buffer, isBinary: boolean): void => {
        const text = isBinary ? '' : data.toString();
        if (!text.includes(promptId) || !/"type": ?"executing"/.test(text) || !/"node": ?null/.test(text)) return;
        socket.off('message', hear);
        resolve();
      };
      socket.on('message', hear);
    });
    const body = JSON.stringify({ prompt: graph, prompt_id: promptId, client_id: clientId });
    await (await fetch(`${ENGINE_URL}/prompt`, { method: 'POST', body })).arrayBuffer();
    await over;
  }

  async function driven(graph: object): Promise<void> {
    const observer = new RecordingObserver();
    const request = { runId: crypto.randomUUID(), workflow: Buffer.from(JSON.stringify(graph)), files: [] };
    const outcome = await engine.run(request, observer, new AbortController().signal);
    expect(outcome).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  }

  it.each(Object.keys(GRAPHS) as (keyof typeof GRAPHS)[])(
    'is small for a %s',
    async (name) => {
      const [alone, through]: [number[], number[]] = [[], []];
      for (let i = 0; i < ROUNDS + WARM_UP; i += 1) {
        const [a, b] = [await timed(() => direct(GRAPHS[name]())), await timed(() => driven(GRAPHS[name]()))];
        if (i < WARM_UP) continue;
        alone.push(a);
        through.push(b);
      }
      const row = (times: number[]): string => `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms`;
      console.log(`${engine.environment}, ${name}: engine alone ${row(alone)}; through the driver ${row(through)}`);
      expect(at(through, 0.5) - at(alone, 0.5)).toBeLessThan(50);
    },
    120_000,
  );
});

async function timed(what: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await what();
  return performance.now() - start;
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2));
}
