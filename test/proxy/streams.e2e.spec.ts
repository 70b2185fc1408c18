import { eventually, isTerminalFrame, pictureGraph } from '@heddle/testing-api';
import { SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { afterEach, describe, expect, it } from 'vitest';
import { useScriptedProxy } from './proxy.js';

const STREAMS = 40;

describe('streams of jobs in front of an engine', () => {
  const proxy = useScriptedProxy();
  let release = (): void => undefined;
  afterEach(() => release());

  it('are not limited to eight, and share one socket of the engine: each hears everything', async () => {
    const until = new Promise<void>((done) => (release = done));
    proxy.engine.onNextPrompt(async (play) => {
      play.begin('1');
      await until;
      play.finish('1');
      play.node('2', { images: [await play.file('streams.png', SMALL_PNG)] });
    });
    const job = await proxy.client.submitted(pictureGraph());
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => proxy.client.events(job.id)));
    await Promise.all(streams.map((stream) => stream.until('running', (frame) => frame.data['status'] === 'running')));
    expect(proxy.engine.socketCount).toBe(1);
    release();
    for (const stream of streams) {
      const frames = await stream.all();
      expect(frames.filter(({ event }) => event === 'output')).toHaveLength(1);
      expect(isTerminalFrame(frames.at(-1)!)).toBe(true);
    }
    expect(proxy.engine.socketCount).toBe(1);
  });

  it('begin with what is known: status, progress, the last preview, and the outputs so far', async () => {
    const until = new Promise<void>((done) => (release = done));
    proxy.engine.onNextPrompt(async (play) => {
      play.node('1', { images: [await play.file('early.png', SMALL_PNG)] });
      play.begin('2');
      play.stage.nodeProgress('2', 3, 4);
      play.stage.preview('2', 'image/png', SMALL_PNG);
      await until;
      play.finish('2');
    });
    const job = await proxy.client.submitted(pictureGraph());
    await eventually('the output', async () => (await proxy.client.jobNow(job.id)).outputs.length === 1);
    const first = await proxy.client.events(job.id);
    await first.until('a preview', ({ event }) => event === 'preview');
    // Progress is sent about twice per second; a stream begins with the last sent value.
    await first.until('the step', ({ event, data }) => event === 'progress' && data['step'] === 3);
    const late = await proxy.client.events(job.id);
    await late.until('the output', ({ event }) => event === 'output');
    expect(late.frames.slice(0, 4).map(({ event }) => event)).toEqual(['status', 'progress', 'preview', 'output']);
    expect(late.frames[1]!.data).toMatchObject({ current_node: '2', step: 3, steps: 4 });
    release();
    await Promise.all([first.all(), late.all()]);
  });
});
