import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';

/** Starts the product in a separate process, without workers and with raised limits. */
export async function startProduct(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<Standalone> {
  return await startStandalone({
    dataDir,
    env: {
      HEDDLE_LOG_LEVEL: 'warn',
      HEDDLE_WORKERS: '0',
      HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000000',
      HEDDLE_QUEUE_DEPTH: '100000000',
      HEDDLE_READ_RATE: '1000000',
      HEDDLE_READ_BURST: '1000000',
      ...more,
    },
  });
}

/** Status and JSON body of an answer. */
export async function read(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(url);
  return { status: answer.status, body: await answer.json() };
}

let color = 0;

/** Submits a unique graph, padded to a size. Resolves with the status. */
export async function submit(url: string, bytes = 0): Promise<number> {
  color += 1;
  const workflow = {
    '1': {
      class_type: 'EmptyImage',
      inputs: { width: 16, height: 16, batch_size: 1, color: color % 16_777_216 },
      _meta: { title: `${process.pid} ${color} ${'x'.repeat(bytes)}` },
    },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  };
  const headers = { 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v2/jobs`, { method: 'POST', body: JSON.stringify({ workflow }), headers });
  await answer.arrayBuffer();
  return answer.status;
}
