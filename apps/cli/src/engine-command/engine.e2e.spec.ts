import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHeddle, type HeddleProcess } from '../heddle-process.fixture.js';

let folder: string;
const running: HeddleProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-engine-command-'));
});
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

function start(...words: string[]): { heddle: HeddleProcess; line: Promise<string> } {
  const heddle = startHeddle(['engine', '--data', folder, ...words], {});
  running.push(heddle);
  const line = new Promise<string>((done, fail) => {
    let text = '';
    heddle.child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) done(text.slice(0, text.indexOf('\n')));
    });
    void heddle.ended.then(({ err }) => fail(new Error(`it ended: ${err}`)));
  });
  return { heddle, line };
}

describe('heddle engine', () => {
  it('says where it is ready, runs a prompt of a plain client, and stops on request', async () => {
    const { heddle, line } = start('--port', '0');
    const ready = await line;
    expect(ready).toMatch(/^heddle engine ready http:\/\/127\.0\.0\.1:\d+$/);
    const url = ready.slice(ready.indexOf('http'));
    const prompt = {
      '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'from-the-command' } },
    };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=me`);
    const over = new Promise<void>((done) => {
      socket.onmessage = ({ data }) => {
        if (/"executing".*"node":null/.test(String(data))) done();
      };
    });
    await new Promise((done) => (socket.onopen = done));
    const body = JSON.stringify({ prompt, client_id: 'me' });
    expect((await fetch(`${url}/prompt`, { method: 'POST', body })).status).toBe(200);
    await over;
    expect(await readdir(join(folder, 'output'))).toEqual(['from-the-command_00001_.png']);
    heddle.child.kill('SIGTERM');
    expect(await heddle.ended).toMatchObject({ code: 0, err: '' });
  });

  it('with --json prints its own state and prompts as lines', async () => {
    const { heddle, line } = start('--port', '0', '--json');
    const { event, url } = JSON.parse(await line) as { event: string; url: string };
    expect(event).toBe('ready');
    const prompt = { '1': { class_type: 'PreviewAny', inputs: { source: 'text' } } };
    const prompt_id = crypto.randomUUID();
    const reported = new Promise<void>((done) =>
      heddle.child.stdout?.on('data', (chunk: Buffer) => (chunk.toString().includes(prompt_id) ? done() : undefined)),
    );
    const body = JSON.stringify({ prompt, prompt_id });
    expect((await fetch(`${url}/prompt`, { method: 'POST', body })).status).toBe(200);
    await reported;
    heddle.child.kill('SIGINT');
    const lines = (await heddle.ended).lines();
    expect(lines.map((each) => each['event'])).toEqual(['ready', 'prompt', 'stopped']);
    expect(lines[1]).toMatchObject({ id: prompt_id, status: 'succeeded' });
  });

  it('names a port that is taken, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const { port } = other.address() as AddressInfo;
    const { heddle, line } = start('--port', String(port));
    await expect(line).rejects.toThrow('in use');
    const { code, err } = await heddle.ended;
    other.close();
    // As `heddle serve` says it.
    expect(code).toBe(2);
    const holder = `process ${process.pid} \\(.*\\)`;
    const text = `^heddle: port ${port} is in use by ${holder}: stop that process, or set --port to another port\\n$`;
    expect(err).toMatch(new RegExp(text));
  });
});
