import { setTimeout as delay } from 'node:timers/promises';
import { eventually, pictureGraph } from '@heddle/testing-api';
import type { EventStream, Job } from '@heddle/testing-api';
import { SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { afterEach, describe, expect, it } from 'vitest';
import { useScriptedProxy } from './proxy.js';

describe('an engine that fails, seen through the API', () => {
  const proxy = useScriptedProxy();
  afterEach(() => proxy.engine.heal());

  it('gives an error with node, class and traceback, without a path of its machine and with what was made before [JB11]', async () => {
    proxy.engine.onNextPrompt(async (play) => {
      play.node('1');
      play.begin('2');
      play.finish('2', { images: [await play.file('before.png', SMALL_PNG)] });
      return play.error('2', 'the pixels are sour');
    });
    const job = await endedAs('failed');
    expect(job.error).toMatchObject({ code: 'node_execution_error', node_id: '2', class_type: 'SaveImage' });
    expect(job.error!.message).toContain('the pixels are sour');
    expect(job.error!.traceback).toContain('get_output_data');
    expect(JSON.stringify(job)).not.toMatch(/\/home\/someone|\/engine\/execution/);
    expect(job.outputs.map(({ name }) => name)).toEqual(['before.png']);
  });

  it('ends as out_of_memory at once: no second attempt', async () => {
    const before = proxy.engine.prompts.length;
    proxy.engine.onNextPrompt(async (play) => (play.begin('1'), play.outOfMemory('1')));
    const job = await endedAs('failed');
    expect(job.error).toMatchObject({ code: 'out_of_memory', node_id: '1', class_type: 'EmptyImage' });
    expect(proxy.engine.prompts).toHaveLength(before + 1);
  });

  it('may refuse what our check accepted: the reasons of its verdict are those of the API', async () => {
    const body = JSON.stringify({
      error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' },
      node_errors: {
        '2': {
          class_type: 'SaveImage',
          dependent_outputs: ['2'],
          errors: [
            {
              type: 'value_not_in_list',
              message: 'Value not in list',
              details: 'x',
              extra_info: { input_name: 'filename_prefix' },
            },
          ],
        },
      },
    });
    proxy.engine.breakRequests({
      method: 'POST',
      path: '/prompt',
      times: 1,
      fault: { kind: 'status', status: 400, body, contentType: 'application/json' },
    });
    const job = await endedAs('failed');
    expect(job.error).toMatchObject({ code: 'engine_error', node_id: '2', class_type: 'SaveImage' });
    expect(job.error!.message).toMatch(/filename_prefix: value_not_in_list/);
  });

  it('may restart in the middle: the job runs again and is done', async () => {
    proxy.engine.onNextPrompt((play) => (play.begin('1'), play.deaf()));
    const job = await submitted();
    await began(job);
    await proxy.engine.restart(200);
    const ended = await proxy.client.ended(job.id, 60_000);
    expect(ended).toMatchObject({ status: 'succeeded', progress: { value: 1 } });
    expect(ended.outputs).toHaveLength(1);
  }, 120_000);

  it('may restart in the middle of every attempt: the job fails as worker_lost, and the next one runs', async () => {
    const before = proxy.engine.prompts.length;
    const job = await submitted((play) => (play.begin('1'), play.deaf()), 3);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await eventually(`attempt ${attempt}`, () => proxy.engine.prompts.length >= before + attempt);
      await proxy.engine.restart(50);
    }
    const ended = await proxy.client.ended(job.id, 60_000);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    expect(proxy.engine.prompts).toHaveLength(before + 3);
    await endedAs('succeeded');
  }, 150_000);

  it('may hide a prompt between its queue and its history: no job is ever shown expired', async () => {
    proxy.engine.hideHistory(1_500);
    const job = await submitted();
    const seen = new Set<string>();
    const ended = await eventually(
      'the end of the job',
      async () => {
        const now = await proxy.client.jobNow(job.id);
        seen.add(now.status);
        return now.completed_at === null ? null : now;
      },
      30_000,
    );
    expect(ended.status).toBe('succeeded');
    expect([...seen].every((status) => ['queued', 'running', 'succeeded'].includes(status))).toBe(true);
  }, 120_000);

  it('may lose its socket, send garbage, repeat and swallow messages: every output still comes before the end', async () => {
    const fates = ['send', 'drop', 'twice', 'send', 'hold', 'twice', 'drop'] as const;
    let message = 0;
    proxy.engine.tamperMessages(() => fates[(message += 1) % fates.length]!);
    proxy.engine.onNextPrompt(async (play) => {
      play.begin('1');
      proxy.engine.sendGarbage();
      // The worker answers nothing to garbage, so nothing signals that it has arrived.
      await delay(50);
      proxy.engine.dropSockets();
      play.finish('1');
      const images = [await play.file('a.png', SMALL_PNG), await play.file('b.png', SMALL_PNG)];
      play.node('2', { images, odd: [{ filename: 'a.png', subfolder: '', type: 'output' }] });
    });
    const job = await submitted();
    const stream = await proxy.client.events(job.id);
    const frames = await stream.all(40_000);
    const ended = await proxy.client.jobNow(job.id);
    expect(ended.status).toBe('succeeded');
    expect(ended.outputs.length).toBeGreaterThanOrEqual(2);
    expect(frames.filter(({ event }) => event === 'output').length).toBe(ended.outputs.length);
  }, 120_000);

  it('shows Heddle no prompt of another client, and Heddle stops none of them', async () => {
    let finish = (): void => undefined;
    const release = new Promise<void>((done) => (finish = done));
    const foreign = await proxy.engine.foreignPrompt(pictureGraph() as never, async (play) => {
      play.begin('1');
      await Promise.race([release, play.interrupted()]);
      return play.signal.aborted ? { kind: 'interrupted' } : { kind: 'succeeded' };
    });
    const waiting = await submitted();
    await eventually('the prompt behind it', async () => (await queue()).queue_pending.length === 1);
    const canceled = await proxy.client.cancel(waiting.id);
    expect(canceled.status).toBe(200);
    await proxy.client.reached(waiting.id, 'canceled');
    await eventually('it being gone', async () => (await queue()).queue_pending.length === 0);
    expect((await queue()).queue_running.map(([, id]) => id)).toEqual([foreign]);
    const { jobs } = await proxy.client.jobPage('?limit=100');
    expect(jobs.map(({ id }) => id)).not.toContain(foreign);
    expect((await proxy.client.job(foreign)).status).toBe(404);
    finish();
    await eventually('its own end', async () => JSON.stringify(await history(foreign)).includes('execution_success'));
  }, 120_000);

  it('is interrupted when a running job is cancelled, once, and no output comes after', async () => {
    const interrupts = requestsOf(/cancel|interrupt/);
    const job = await submitted(async (play) => {
      play.begin('1');
      return play.endless();
    });
    const stream = await proxy.client.events(job.id);
    await began(job);
    await proxy.client.cancel(job.id);
    await Promise.all([proxy.client.cancel(job.id), proxy.client.cancel(job.id)]);
    const frames = await stream.all(40_000);
    expect(frames.at(-1)!.data['status']).toBe('canceled');
    const ended = await proxy.client.jobNow(job.id);
    expect(ended).toMatchObject({ status: 'canceled', outputs: [], error: null });
    expect(requestsOf(/cancel|interrupt/) - interrupts).toBe(1);
  }, 120_000);

  it('reports progress and previews of a slow node: monotone, about two a second, and the last of each', async () => {
    const [least, most] = [40, 250];
    const watched = Promise.withResolvers<EventStream>();
    let last = 0;
    const job = await submitted(async (play) => {
      play.node('1');
      play.begin('2');
      const stream = await watched.promise;
      const isShown = (): boolean => halfWay(stream).length >= 2 && dataOf(stream, 'preview').length >= 3;
      // Continues until progress was shown, because the display may be delayed.
      while (last < least || (last < most && !isShown())) {
        last += 1;
        play.stage.nodeProgress('2', last, most);
        play.stage.preview('2', 'image/png', Buffer.concat([SMALL_PNG, Buffer.from([last])]));
        // The pace of the node.
        await delay(50);
      }
      play.finish('2');
    });
    const stream = await proxy.client.events(job.id);
    watched.resolve(stream);
    const frames = await stream.all(60_000);
    const values = dataOf(stream, 'progress').map((data) => Number(data['value']));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(halfWay(stream).length).toBeGreaterThanOrEqual(2);
    expect(values.at(-1)).toBe(1);
    const shown = dataOf(stream, 'preview').map((data) => Buffer.from(String(data['data_base64']), 'base64').at(-1));
    expect(shown.length).toBeGreaterThanOrEqual(3);
    const seconds = (last * 50) / 1000;
    const shownMs = msOf(await proxy.client.jobNow(job.id));
    expect(shown.length).toBeLessThanOrEqual(2 * Math.max(seconds, shownMs / 1000) + 2);
    expect(shown.at(-1)).toBe(last);
    expect(dataOf(stream, 'progress').some((data) => data['current_node'] === '2' && data['steps'] === most)).toBe(
      true,
    );
    expect(frames.at(-1)!.data['status']).toBe('succeeded');
  }, 120_000);

  async function submitted(script?: Parameters<typeof proxy.engine.onPrompt>[0], times = 1): Promise<Job> {
    for (let i = 0; i < times && script !== undefined; i += 1) proxy.engine.onNextPrompt(script);
    return proxy.client.submitted(pictureGraph());
  }
  async function endedAs(status: Job['status']): Promise<Job> {
    return proxy.client.reached((await submitted()).id, status);
  }
  function began(job: Job): Promise<unknown> {
    return eventually('the node', async () => (await proxy.client.jobNow(job.id)).progress?.current_node);
  }
  async function queue(): Promise<{ queue_running: [number, string][]; queue_pending: [number, string][] }> {
    return (await (await fetch(`${proxy.engine.url}/queue`)).json()) as never;
  }
  async function history(id: string): Promise<unknown> {
    return (await fetch(`${proxy.engine.url}/history/${id}`)).json();
  }
  function requestsOf(path: RegExp): number {
    return proxy.engine.requests.filter((seen) => seen.method === 'POST' && path.test(seen.path)).length;
  }
});

function dataOf(stream: EventStream, event: string): Record<string, unknown>[] {
  return stream.frames.filter((frame) => frame.event === event).map(({ data }) => data);
}

/** Progress values within the second of two nodes. */
function halfWay(stream: EventStream): readonly number[] {
  const values = dataOf(stream, 'progress').map((data) => Number(data['value']));
  return values.filter((value) => value > 0.5 && value < 1);
}

function msOf({ metrics }: Job): number {
  return metrics.execution_ms ?? 0;
}
