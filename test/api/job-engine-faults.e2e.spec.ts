import { textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from './server.js';

const last = (class_type: string, inputs: Record<string, unknown>) => ({
  ...textGraph(),
  '3': { class_type, inputs: { ...inputs, value: ['1', 0] } },
});

describe.runIf(ownServer)('an engine that breaks', () => {
  const server = useServer({ HEDDLE_MAX_ATTEMPTS: '2', HEDDLE_ENGINE_MEMORY_MB: '128', HEDDLE_RETRY_DELAY_S: '0.1' });

  it('loses the attempt when it crashes, then the job fails with worker_lost (decisions, Engine faults) [JB08]', async () => {
    const { id } = await server.client.submitted(last('HeddleTestCrash', { how: 'exit' }));
    const job = await server.client.ended(id);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    expect(job.outputs.map((output) => output.node_id)).toEqual(['2']);
  });

  it('ends the job with out_of_memory, without another attempt (decisions, Engine faults)', async () => {
    const { id } = await server.client.submitted(last('HeddleTestMemory', { kind: 'pixels' }));
    const job = await server.client.ended(id);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'out_of_memory' } });
  });

  // A heap that is nearly full is collected again and again, which takes most of a minute on a busy machine.
  it('ends a job whose script heap is exhausted with out_of_memory too', { timeout: 180_000 }, async () => {
    const { id } = await server.client.submitted(last('HeddleTestMemory', { kind: 'heap' }));
    const job = await server.client.ended(id, 150_000);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'out_of_memory' } });
  });

  it('takes the next job as if nothing had happened', async () => {
    const { id } = await server.client.submitted(textGraph());
    await server.client.reached(id, 'succeeded');
  });
});
