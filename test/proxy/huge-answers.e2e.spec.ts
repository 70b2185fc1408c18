import { readFile } from 'node:fs/promises';
import { eventually, pictureGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import type { FaultRule } from '@heddle/engine-comfyui-server/scripted';
import { afterEach, describe, expect, it } from 'vitest';
import { useScriptedProxy } from './proxy.js';

const GIBIBYTE = 1024 ** 3;
/** Maximum memory growth during a run in MiB; a sixteenth of the answer is already 64 MiB. */
const MAX_MIB = 400;

describe('answers of 1 GiB from an engine', () => {
  const proxy = useScriptedProxy({ HEDDLE_OUTPUT_BYTES: String(16 * 1024 ** 2) });
  afterEach(() => proxy.engine.heal());

  it.each<[string, FaultRule, RegExp]>([
    [
      'to a submission end in another attempt',
      { method: 'POST', path: '/prompt', times: 1, fault: { kind: 'zeros', bytes: GIBIBYTE } },
      /^succeeded/,
    ],
    [
      'in place of the history leave the word of the socket',
      { path: /^\/history\//, fault: { kind: 'zeros', bytes: GIBIBYTE, contentType: 'application/json' } },
      /^succeeded/,
    ],
    [
      'in place of a picture end in output_limit',
      { path: '/view', fault: { kind: 'zeros', bytes: GIBIBYTE, contentType: 'image/png' } },
      /^failed output_limit/,
    ],
    [
      'in place of a picture, told before, end in output_limit',
      { path: '/view', fault: { kind: 'zeros', bytes: GIBIBYTE, declared: true, contentType: 'image/png' } },
      /^failed output_limit/,
    ],
  ])(
    '%s; memory stays, the next job runs',
    async (_, rule, ending) => {
      const before = await residentMib();
      proxy.engine.breakRequests(rule);
      const { job, peak } = await ended();
      expect(`${job.status} ${job.error?.code ?? ''}`).toMatch(ending);
      expect(peak - before).toBeLessThan(MAX_MIB);
      proxy.engine.heal();
      expect((await ended()).job.status).toBe('succeeded');
    },
    120_000,
  );

  it('in place of its node classes leave the last catalogue', async () => {
    const before = await residentMib();
    const struck = proxy.engine.breakRequests({ path: '/object_info', fault: { kind: 'zeros', bytes: GIBIBYTE } });
    await proxy.engine.restart(50);
    await eventually('Heddle asking for them', () => struck.hits >= 1);
    expect((await proxy.client.submit(pictureGraph())).status).toBe(201);
    expect((await residentMib()) - before).toBeLessThan(MAX_MIB);
  }, 120_000);

  async function ended(): Promise<{ job: Job; peak: number }> {
    const { id } = await proxy.client.submitted(pictureGraph());
    let peak = 0;
    const job = await eventually(
      'the end of the job',
      async () => {
        peak = Math.max(peak, await residentMib());
        const now = await proxy.client.jobNow(id);
        return now.completed_at === null ? null : now;
      },
      50_000,
    );
    return { job, peak };
  }

  async function residentMib(): Promise<number> {
    const status = await readFile(`/proc/${proxy.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
});
