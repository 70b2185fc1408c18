import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedEngine, SMALL_PNG } from './scripted-engine.js';
import { GARBAGE_FRAMES } from './wire-faults.js';
import { SocketClient } from './socket-client.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'folder/name' } },
};

describe('the scripted engine', () => {
  let engine: ScriptedEngine;
  const clients: SocketClient[] = [];
  beforeEach(async () => {
    engine = await ScriptedEngine.start();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await engine.close();
  });
  const connect = async (id = 'me'): Promise<SocketClient> => {
    const client = await SocketClient.open(engine.url, id);
    clients.push(client);
    return client;
  };
  const submit = async (body: object = {}): Promise<Response> =>
    fetch(`${engine.url}/prompt`, {
      method: 'POST',
      body: JSON.stringify({ prompt: GRAPH, client_id: 'me', ...body }),
    });
  const submitted = async (): Promise<string> => ((await (await submit()).json()) as { prompt_id: string }).prompt_id;
  const read = async (path: string): Promise<Record<string, never>> =>
    (await (await fetch(engine.url + path)).json()) as Record<string, never>;

  it('plays a graph in the words and the order of the engine, and serves its output', async () => {
    const client = await connect();
    const id = await submitted();
    await client.ended(id);
    expect(client.types()).toEqual(
      (
        'status status status execution_start execution_cached progress_state executing progress_state ' +
        'progress_state executing executed progress_state execution_success status executing'
      ).split(' '),
    );
    const entry = (await read(`/history/${id}`))[id] as unknown as {
      outputs: { '2': { images: [Record<string, string>] } };
    };
    const image = await fetch(`${engine.url}/view?${new URLSearchParams(entry.outputs['2'].images[0]).toString()}`);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(SMALL_PNG);
  });

  it('cuts sockets, and a client may come back', async () => {
    engine.onPrompt((play) => play.endless());
    const client = await connect();
    const id = await submitted();
    await client.until(({ messages }) => messages.length >= 3);
    engine.dropSockets();
    await client.cut();
    const again = await connect();
    await fetch(`${engine.url}/interrupt`, { method: 'POST' });
    await again.ended(id);
    expect(again.of('execution_interrupted')).toMatchObject([{ prompt_id: id }]);
  });

  it('refuses sockets while it is set to', async () => {
    engine.dropSockets(true);
    await expect(connect()).rejects.toThrow('403');
    engine.heal();
    await connect();
  });

  it('loses queue and history at a restart, on the same port', async () => {
    engine.onPrompt((play) => play.deaf());
    const ids = [await submitted(), await submitted()];
    expect(await read('/prompt')).toEqual({ exec_info: { queue_remaining: 2 } });
    await engine.restart();
    expect(await read('/prompt')).toEqual({ exec_info: { queue_remaining: 0 } });
    expect(await read(`/history/${ids[0]}`)).toEqual({});
  });

  it('does what was asked and never says so, or cuts the connection', async () => {
    engine.breakRequests({ method: 'POST', path: '/prompt', times: 1, fault: { kind: 'doneUnanswered' } });
    const client = await connect();
    const answer = submit().catch(() => 'cut off');
    await client.until(({ messages }) =>
      messages.some(({ type, data }) => type === 'executing' && data['node'] === null),
    );
    expect(await Promise.race([answer, Promise.resolve('unanswered')])).toBe('unanswered');
    engine.breakRequests({ method: 'POST', path: '/prompt', fault: { kind: 'doneReset' } });
    await expect(submit()).rejects.toThrow();
    expect(engine.requests.filter(({ path }) => path === '/prompt')).toHaveLength(2);
  });

  it('fails prompts with node, class and traceback, out of memory too', async () => {
    const client = await connect();
    engine.onNextPrompt(async (play) => {
      play.node('1');
      play.begin('2');
      return play.outOfMemory('2');
    });
    const id = await submitted();
    await client.ended(id);
    expect(client.of('execution_error')).toMatchObject([
      {
        prompt_id: id,
        node_id: '2',
        node_type: 'SaveImage',
        exception_type: 'torch.OutOfMemoryError',
        executed: ['1'],
      },
    ]);
    expect(await read(`/history/${id}`)).toMatchObject({ [id]: { status: { status_str: 'error', completed: false } } });
  });

  it('drops, repeats and reorders messages', async () => {
    const client = await connect();
    await client.until(({ messages }) => messages.length === 1);
    engine.tamperMessages((message) => {
      if (Buffer.isBuffer(message) || message.type === 'progress_state') return 'drop';
      if (message.type === 'executed') return 'twice';
      return message.type === 'execution_success' ? 'hold' : 'send';
    });
    await client.ended(await submitted());
    expect(client.types().slice(1)).toEqual(
      'status status execution_start execution_cached executing executing executed executed status execution_success executing'.split(
        ' ',
      ),
    );
  });

  it('sends garbage', async () => {
    const client = await connect();
    engine.sendGarbage();
    await client.until(
      ({ messages, binary, odd }) => messages.length + binary.length + odd.length === GARBAGE_FRAMES.length + 1,
    );
    expect(client.odd).toHaveLength(5);
  });

  it('answers with so many zeros, cuts answers short, refuses, and heals', async () => {
    const zeros = engine.breakRequests({ path: '/view', times: 1, fault: { kind: 'zeros', bytes: 3_000_000 } });
    expect((await (await fetch(`${engine.url}/view?filename=a.png`)).arrayBuffer()).byteLength).toBe(3_000_000);
    expect(zeros.hits).toBe(1);
    engine.breakRequests({ path: '/view', times: 1, fault: { kind: 'short', declared: 100, sent: 50 } });
    const short = await fetch(`${engine.url}/api/view?filename=a.png`);
    await expect(short.arrayBuffer()).rejects.toThrow();
    engine.breakRequests({ path: /./, fault: { kind: 'status', status: 500, body: 'no' } });
    expect((await submit()).status).toBe(500);
    engine.heal();
    expect((await submit()).status).toBe(200);
  });

  it('shows an ended prompt late', async () => {
    const client = await connect();
    engine.hideHistory(60_000);
    const id = await submitted();
    await client.ended(id);
    expect(await read(`/history/${id}`)).toEqual({});
    engine.heal();
    expect(await read(`/history/${id}`)).toHaveProperty(id);
  });

  it('runs prompts of somebody else in between', async () => {
    const client = await connect();
    const foreign = await engine.foreignPrompt(GRAPH);
    const mine = await submitted();
    await client.ended(mine);
    expect(await read('/history')).toHaveProperty(foreign);
    expect(client.of('executing').map((data) => data['prompt_id'])).not.toContain(foreign);
  });
});

describe('the scripted engine as an older one', () => {
  it('has no jobs routes, and says so in both ways', async () => {
    const engine = await ScriptedEngine.start({ version: '0.3.64' });
    try {
      const cancel = await fetch(`${engine.url}/api/jobs/cancel`, { method: 'POST', body: '{}' });
      expect([cancel.status, await cancel.text()]).toEqual([405, '405: Method Not Allowed']);
      expect((await fetch(`${engine.url}/api/jobs`)).status).toBe(404);
    } finally {
      await engine.close();
    }
  });
});
