import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingObserver } from '@heddle/testing-engine';
import { SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import type { FrameFate, SentMessage } from '@heddle/engine-comfyui-server/scripted';
import { FAST, ScriptedDrive, until } from '../scripted-drive.fixture.js';

const isJson = (message: SentMessage): message is Exclude<SentMessage, Buffer> => !Buffer.isBuffer(message);

describe.each(['0.3.64', '0.33.0'] as const)('a run on an engine that fails (as %s speaks)', (version) => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start({ version });
  });
  afterEach(() => drive.close());

  it('is lost when the engine is restarted in the middle, and the next one works', async () => {
    drive.engine.onNextPrompt((play) => {
      play.begin('1');
      return play.deaf();
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('started 1');
    await drive.engine.restart(300);
    expect(await ending).toMatchObject({ kind: 'lost', reason: expect.stringContaining('restarted') });
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it('is lost when the engine goes away and stays away', async () => {
    drive.engine.onNextPrompt((play) => {
      play.begin('1');
      return play.deaf();
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('started 1');
    await drive.engine.goDown();
    expect(await ending).toMatchObject({ kind: 'lost' });
    expect(observer.calls.at(-1)).toBe('engine away');
    const next = new RecordingObserver();
    expect(await drive.run(next)).toMatchObject({ kind: 'lost', beforeStart: true });
    expect(next.calls).toEqual(['engine away']);
    await drive.engine.comeUp();
    await drive.driver.whenReady(AbortSignal.timeout(20_000));
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it('reports once that it waits for an engine that is away, and once that the engine is back', async () => {
    await drive.engine.goDown();
    await until(() => drive.engine.socketCount === 0);
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('engine away');
    await drive.engine.comeUp();
    expect(await ending).toEqual({ kind: 'succeeded' });
    expect(observer.calls.slice(0, 2)).toEqual(['engine away', 'engine back']);
    expect(observer.calls.filter((call) => call.startsWith('engine'))).toHaveLength(2);
  });

  it('continues when the socket breaks, reconnects and misses no output', async () => {
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      drive.engine.dropSockets();
      play.finish('1');
      play.node('2', { images: [await play.file('kept.png', SMALL_PNG)] });
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs.map(({ name }) => name)).toEqual(['kept.png']);
    await until(() => drive.engine.socketCount === 1);
  });

  it('ends by polling while no socket can be opened', async () => {
    drive.engine.dropSockets(true);
    await until(() => drive.engine.socketCount === 0);
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  });

  it('is not lost while it is neither in the queue nor in the history for a moment', async () => {
    drive.engine.onNextPrompt(async (play) => {
      play.node('2', { images: [await play.file('late.png', SMALL_PNG)] });
      drive.engine.hideHistory(250);
    });
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it('succeeds by the messages of the socket when no history ever appears', async () => {
    drive.engine.onNextPrompt(async (play) => {
      play.node('2', { images: [await play.file('shown.png', SMALL_PNG)] });
      drive.engine.hideHistory(60_000);
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  });

  it.each(['doneUnanswered', 'doneReset'] as const)(
    'finds its prompt again when the answer to it is lost (%s)',
    async (kind) => {
      drive.engine.breakRequests({ method: 'POST', path: '/prompt', times: 1, fault: { kind } });
      expect(await drive.run()).toEqual({ kind: 'succeeded' });
      expect(drive.engine.prompts).toHaveLength(1);
    },
  );

  it.each(['hang', 'reset'] as const)('is lost when the engine never took it (%s)', async (kind) => {
    drive.engine.breakRequests({ method: 'POST', path: '/prompt', times: 1, fault: { kind } });
    expect(await drive.run()).toMatchObject({ kind: 'lost' });
    expect(drive.engine.prompts).toHaveLength(0);
  });

  it('is lost when the engine takes calls and answers none', async () => {
    drive.engine.onNextPrompt((play) => {
      play.begin('1');
      return play.deaf();
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('started 1');
    drive.engine.breakRequests({ path: /./, fault: { kind: 'hang' } });
    expect(await ending).toMatchObject({ kind: 'lost', reason: expect.stringContaining('not answered') });
  });

  it('waits for an engine that answers slowly', async () => {
    drive.engine.breakRequests({ path: /./, fault: { kind: 'slow', ms: 300 } });
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it.each([
    ['dropped', (n: number): FrameFate => (n % 2 === 0 ? 'drop' : 'send')],
    ['doubled', (): FrameFate => 'twice'],
    ['out of order', (n: number): FrameFate => (n % 3 === 0 ? 'hold' : 'send')],
  ] as const)('reports each node and output once when messages are %s', async (_, fate) => {
    let n = 0;
    drive.engine.tamperMessages((message) => (isJson(message) && message.type !== 'status' ? fate(++n) : 'send'));
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
    expect(new Set(observer.calls).size).toBe(observer.calls.length);
  });

  it('ignores garbage and messages of unknown types', async () => {
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      drive.engine.sendGarbage();
      play.finish('1');
      play.node('2', { images: [await play.file('clean.png', SMALL_PNG)] });
      drive.engine.sendGarbage();
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.calls.filter((call) => !call.startsWith('output'))).toEqual([
      'started 1',
      'finished 1',
      'started 2',
      'finished 2',
    ]);
    expect(observer.outputs).toHaveLength(1);
    expect(drive.engine.socketCount).toBe(1);
  });

  it.each(['<html>', '{"queue_running": 5}', '[]', 'null'])(
    'concludes nothing from a queue that reads %s',
    async (body) => {
      const fault = { kind: 'status', status: 200, body } as const;
      drive.engine.breakRequests({ path: '/queue', times: 3, fault });
      drive.engine.tamperMessages((message) => (isJson(message) && message.type !== 'status' ? 'drop' : 'send'));
      expect(await drive.run()).toEqual({ kind: 'succeeded' });
    },
  );

  it('reads NaN and Infinity as Python writes them, in messages, queue and history', async () => {
    await drive.engine.foreignPrompt({ '1': { class_type: 'A', inputs: {} } });
    const body = '{"queue_running": [[0, "x", {"1": {"inputs": {"a": NaN}}}, {}, []]], "queue_pending": []}';
    drive.engine.breakRequests({ path: '/queue', fault: { kind: 'status', status: 200, body } });
    drive.engine.onNextPrompt(async (play) => {
      const data = `{"node": "2", "output": {"text": ["seen"], "score": [Infinity]}, "prompt_id": "${play.prompt.id}"}`;
      drive.engine.sendToAll(`{"type": "executed", "data": ${data}}`);
      play.node('1');
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs.map(({ key }) => key)).toEqual(['2/text/0']);
  });

  it('reports nothing of the prompts of another client, and leaves them alone', async () => {
    let isForeignDone = false;
    await drive.engine.foreignPrompt({ '1': { class_type: 'EmptyImage', inputs: {} } }, async (play) => {
      play.begin('1');
      // Both prompts are with the engine; it runs one after the other.
      await until(() => drive.requestsOf('POST', '/prompt') === 2);
      play.finish('1');
      isForeignDone = true;
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(isForeignDone).toBe(true);
    expect(observer.calls.filter((call) => call === 'started 1')).toHaveLength(1);
  });
});

describe('an answer without end', () => {
  const GIGABYTE = 1024 ** 3;
  const BOUNDED = { limits: { answerBytes: 4 * 1024 ** 2 }, timing: { ...FAST, callMs: 20_000 } };
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start({}, BOUNDED);
  });
  afterEach(() => drive.close());

  it.each([true, false])('of the history does not fill the memory (length declared: %s)', async (declared) => {
    drive.engine.breakRequests({ path: /^\/history/, fault: { kind: 'zeros', bytes: GIGABYTE, declared } });
    const before = process.memoryUsage().rss;
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  });

  it('of the catalogue is refused', async () => {
    await drive.driver.objectInfo();
    drive.engine.breakRequests({ path: '/object_info', fault: { kind: 'zeros', bytes: GIGABYTE } });
    drive.engine.dropSockets();
    await until(() => drive.engine.socketCount === 0);
    await until(() => drive.engine.socketCount === 1);
    await expect(drive.another(BOUNDED).objectInfo()).rejects.toThrow(/GET \/object_info of the engine: .*larger/);
  });

  it('of a message ends the connection, not the run', async () => {
    const { driver } = drive;
    await driver.close();
    const small = drive.another({ limits: { messageBytes: 64 * 1024 } });
    await small.whenReady(AbortSignal.timeout(20_000));
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      drive.engine.sendToAll(Buffer.alloc(1024 ** 2));
      play.finish('1');
      play.node('2', { images: [await play.file('after.png', SMALL_PNG)] });
    });
    const observer = new RecordingObserver();
    const workflow = Buffer.from(
      JSON.stringify({ '1': { class_type: 'A', inputs: {} }, '2': { class_type: 'B', inputs: {} } }),
    );
    const run = small.run({ runId: crypto.randomUUID(), workflow, files: [] }, observer, new AbortController().signal);
    expect(await run).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  });
});
