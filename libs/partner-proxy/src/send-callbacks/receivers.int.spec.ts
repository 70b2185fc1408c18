import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signWebhook, webhookKey } from '@heddle/platform-webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestProxy } from '../partner-proxy.fixture.js';

const PAGE = new URL('../../../../docs/how-to/receive-callbacks.md', import.meta.url);

/** A port that was free a moment ago: the proxy must allow it before the receiver starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

describe.each([
  ['Python', 'receiver.py', 'python3'],
  ['TypeScript', 'receiver.ts', process.execPath],
])('the receiver in %s of the page', (_, file, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-receiver-'));
  const lines: string[] = [];
  let receiver: ChildProcess;
  let proxy: TestProxy;
  let url: string;
  let secret: string;

  beforeAll(async () => {
    const text = new RegExp(`\`\`\`\\w+ ${file}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(PAGE, 'utf8'))![1]!;
    writeFileSync(join(folder, file), text);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hook`;
    proxy = await TestProxy.open({ callbackAllow: [`127.0.0.1:${port}`], retryMs: [200, 200] });
    secret = (await proxy.call('GET', '/proxy/webhook-secret')).body.secret as string;
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret };
    receiver = spawn(program, [join(folder, file), String(port)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((listening, failed) => {
      receiver.once('exit', () => failed(new Error(`${file} ended`)));
      receiver.stdout!.setEncoding('utf8').on('data', (out: string) => {
        lines.push(...out.trim().split('\n'));
        if (lines.includes(`listening ${port}`)) listening();
      });
    });
  });
  afterAll(async () => {
    receiver.kill();
    await proxy.close();
    rmSync(folder, { recursive: true });
  });

  const tasks = (): { id: string; state: string }[] =>
    lines.filter((line) => line.startsWith('task ')).map((line) => JSON.parse(line.slice(5)) as never);
  const send = async (headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body })).status;

  it('takes the deliveries of a task', async () => {
    const { body } = await proxy.video({ callback_url: url, payload: 'grüße' });
    await expect.poll(() => tasks().map(({ state }) => state)).toEqual(['processing', 'success']);
    expect(tasks().at(-1)).toEqual((await proxy.readVideo(body.task_id)).body);
  });

  it('takes a callback once, and refuses forged, changed and old ones', async () => {
    const before = tasks().length;
    const [id, body, now] = [randomUUID(), '{"state":"forged"}', Math.floor(Date.now() / 1_000)];
    const key = webhookKey(secret);
    const headers = (timestamp: number, by = key) => ({ ...signWebhook({ id, timestamp, body }, by) });
    expect(await send({}, body)).toBe(401);
    expect(await send(headers(now, webhookKey('whsec_AAAA')), body)).toBe(401);
    expect(await send(headers(now), `${body} `)).toBe(401);
    expect(await send({ ...headers(now), 'webhook-id': 'other' }, body)).toBe(401);
    expect(await send({ ...headers(now), 'webhook-timestamp': String(now + 1) }, body)).toBe(401);
    expect(await send(headers(now - 400), body)).toBe(401);
    expect(await send(headers(now + 400), body)).toBe(401);
    expect(tasks()).toHaveLength(before);
    expect(await send(headers(now), body)).toBe(204);
    expect(await send(headers(now), body)).toBe(204);
    await expect.poll(() => tasks().length).toBe(before + 1);
  });
});
