import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngineServer, type EngineServer } from './engine-server.js';
import { SocketClient } from './scripted/socket-client.fixture.js';

let directory: string;
let server: EngineServer;
let client: SocketClient;
let colour = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-engine-server-'));
  server = await startEngineServer({ directory, port: 0 });
  client = await SocketClient.open(server.url, 'me');
});
afterAll(async () => {
  client.close();
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

function graph(prefix = 'name'): Record<string, { class_type: string; inputs: Record<string, unknown> }> {
  colour += 1;
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: colour } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
    '3': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  };
}

async function submit(body: object): Promise<{ status: number; prompt_id: string; number: number; error?: object }> {
  const response = await fetch(`${server.url}/prompt`, {
    method: 'POST',
    body: JSON.stringify({ client_id: 'me', ...body }),
  });
  const answer = (await response.json()) as { prompt_id: string; number: number };
  return { status: response.status, ...answer };
}

async function historyOf(id: string): Promise<Record<string, never>> {
  return (await (await fetch(`${server.url}/history/${id}`)).json()) as Record<string, never>;
}

describe('prompts', () => {
  it('run those outputs alone that are asked for', async () => {
    const { prompt_id } = await submit({ prompt: graph(), partial_execution_targets: ['3'] });
    await client.ended(prompt_id);
    const { outputs } = (await historyOf(prompt_id))[prompt_id] as unknown as { outputs: object };
    expect(Object.keys(outputs)).toEqual(['3']);
    expect(await submit({ prompt: graph(), partial_execution_targets: ['1'] })).toMatchObject({
      status: 400,
      error: { type: 'prompt_no_outputs' },
    });
  });

  it('carry the numbers of the queue, and credentials are shown nowhere', async () => {
    const first = await submit({ prompt: graph() });
    const extra_data = { api_key_comfy_org: 'canary-key', auth_token_comfy_org: 'canary-token', note: 'kept' };
    const front = await submit({ prompt: graph(), front: true, extra_data });
    expect(front.number).toBe(-(first.number + 1));
    expect((await submit({ prompt: graph(), number: -7.5 })).number).toBe(-7.5);
    await client.ended(front.prompt_id);
    await client.until(({ messages }) => JSON.stringify(messages.at(-2)).includes('"queue_remaining":0'));
    const shown = await Promise.all(
      ['/queue', '/history', `/api/jobs/${front.prompt_id}`, '/api/jobs'].map(async (path) =>
        (await fetch(server.url + path)).text(),
      ),
    );
    expect(shown.join('')).toContain('"note"');
    expect(shown.join('') + JSON.stringify(client.messages)).not.toContain('canary');
  });

  it('show their graph as it was sent: number forms, order and integers of any size', async () => {
    const text =
      '{"10":{"class_type":"PrimitiveFloat","inputs":{"value":1.0}},"9":{"class_type":"PreviewAny","inputs":{"source":["10",0],"seed":18446744073709551615}}}';
    const response = await fetch(`${server.url}/prompt`, {
      method: 'POST',
      body: `{"client_id":"me","prompt":${text}}`,
    });
    const { prompt_id } = (await response.json()) as { prompt_id: string };
    await client.ended(prompt_id);
    expect(await (await fetch(`${server.url}/history/${prompt_id}`)).text()).toContain(text);
  });

  it('of 5,000 nodes run, and what is sent of them stays small', async () => {
    const chain = graph();
    for (let i = 10; i < 4_990; i++) {
      chain[i] = { class_type: 'ImageInvert', inputs: { image: [i === 10 ? '1' : String(i - 1), 0] } };
    }
    chain['9999'] = { class_type: 'PreviewImage', inputs: { images: ['4989', 0] } };
    const heard = client.frames.length;
    const { prompt_id } = await submit({ prompt: chain });
    await client.ended(prompt_id);
    const states = client.frames
      .slice(heard)
      .filter((frame) => typeof frame === 'object' && 'type' in frame && frame.type === 'progress_state');
    const last = states.at(-1) as unknown as { data: { nodes: Record<string, { state: string }> } };
    expect(Object.values(last.data.nodes).every(({ state }) => state === 'finished')).toBe(true);
    expect(Object.keys(last.data.nodes)).toHaveLength(4_984);
    expect(JSON.stringify(states).length).toBeLessThan(500 * 1024 * 1024);
  }, 120_000);

  it.each([
    ['a class of every object', '{"prompt":{"1":{"class_type":"__proto__","inputs":{}}}}', 400],
    ['an id of every object', '{"prompt":{"__proto__":{"class_type":"EmptyImage","inputs":{}}}}', 400],
    ['a list of a thousand lists', `{"prompt":${'['.repeat(1000)}${']'.repeat(1000)}}`, 500],
    ['NaN', '{"prompt":{"1":{"class_type":"PrimitiveFloat","inputs":{"value":NaN}}}}', 500],
    ['a graph of the web UI', '{"prompt":{"nodes":[],"links":[]}}', 500],
  ])('made of %s are refused, and the next one runs', async (_, body, status) => {
    expect((await fetch(`${server.url}/prompt`, { method: 'POST', body })).status).toBe(status);
    const { prompt_id } = await submit({ prompt: graph() });
    await client.ended(prompt_id);
  });
});

describe('requests', () => {
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
    new Promise((done, fail) => {
      const asked = request(`${server.url}`, { path, headers, method }, (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      });
      asked.once('error', fail);
      asked.end();
    });

  it.each([
    ['/api/prompt', 200],
    ['/api/api/jobs', 200],
    ['/jobs', 404],
    ['/api/internal/files/output', 404],
    ['/interrupt', 404],
    ['//prompt', 404],
    ['/ws', 400],
    ['/settings', 200],
    ['/experiment/models', 200],
    ['/history/%E0%A4%A', 200],
    ['/view?filename=..%2F..%2Fetc%2Fhostname', 400],
    ['/view?filename=hostname&subfolder=%2Fetc', 403],
    ['/view?filename=a%00.png', 403],
  ])('for %s are answered with %i', async (path, status) => {
    expect(await raw(path)).toBe(status);
  });

  it('that are larger than the limit are refused unread', async () => {
    expect(await raw('/prompt', { 'content-length': String(101 * 1024 * 1024) }, 'POST')).toBe(413);
  });

  it('of other pages are refused, on the WebSocket too', async () => {
    expect(await raw('/prompt', { origin: 'http://evil.example' })).toBe(403);
    const upgrade = { origin: 'http://evil.example', connection: 'Upgrade', upgrade: 'websocket' };
    const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    expect(await raw('/ws?clientId=me', { ...upgrade, ...key })).toBe(403);
  });
});

describe('files', () => {
  it('of the input folder stand in the lists of /object_info', async () => {
    await writeFile(join(directory, 'input', 'listed.png'), 'x');
    const info = (await (await fetch(`${server.url}/object_info/LoadImage`)).json()) as object;
    expect(info).toHaveProperty('LoadImage.input.required.image.0', ['listed.png']);
  });

  it('that pages would run are sent as bytes', async () => {
    await writeFile(join(directory, 'input', 'page.html'), '<script>');
    await writeFile(join(directory, 'input', 'picture.svg'), '<svg/>');
    for (const name of ['page.html', 'picture.svg']) {
      const { headers } = await fetch(`${server.url}/view?type=input&filename=${name}`);
      expect(headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  it('that pass are gone after a start, those that stay are not', async () => {
    const { prompt_id } = await submit({ prompt: graph('stays') });
    await client.ended(prompt_id);
    expect(await readdir(join(directory, 'temp'))).not.toEqual([]);
    const again = await startEngineServer({ directory, port: 0 });
    await again.close();
    expect(await readdir(join(directory, 'temp'))).toEqual([]);
    expect(await readdir(join(directory, 'output'))).toContain('stays_00001_.png');
  });
});
