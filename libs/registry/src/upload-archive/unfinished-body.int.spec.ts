import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const LIMITS = { archiveBytes: 200_000, slowBodyBytesPerSecond: 10_000, slowBodyMs: 500 };

/** The status of a body of no announced length, once the server has closed its socket. `pauseMs`: between its chunks. */
async function put(url: string, chunks: number, pauseMs: number): Promise<number> {
  const client = request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' }, agent: false });
  const gone = new Promise<void>((done) => client.once('close', done));
  client.on('error', () => undefined);
  const answered = new Promise<IncomingMessage>((done) => client.once('response', done));
  let isAnswered = false;
  void answered.then(() => (isAnswered = true));
  for (let sent = 0; sent < chunks && !isAnswered; sent++) {
    client.write(Buffer.alloc(1_000));
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
  }
  const answer = await answered;
  answer.resume();
  client.end();
  await gone;
  return answer.statusCode ?? 0;
}

describe('an upload that is refused before its end', () => {
  let registry: ManagedRegistry;
  let token: string;
  let url: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open(LIMITS);
    token = await registry.publisher('acme');
    url = (await registry.publish('acme', 'pack', '1.0.0', token)).body.signedUrl as string;
  });
  afterAll(() => registry.close());

  const leftovers = async (): Promise<readonly string[]> =>
    await readdir(join(registry.folder, 'uploads')).catch(() => []);

  it.each([
    ['of more bytes than an archive may have is 413', 300, 0, 413],
    ['that is too slow is 408', 100, 100, 408],
  ])('%s', async (_, chunks, pauseMs, status) => {
    expect(await put(url, chunks, pauseMs)).toBe(status);
    expect(await leftovers()).toEqual([]);
  });

  it('for want of a place to put it is 500', async () => {
    const folder = join(registry.folder, 'uploads');
    await mkdir(folder, { recursive: true });
    // A folder that a file takes the place of, as root may write anywhere.
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    try {
      expect(await put(url, 100, 0)).toBe(500);
    } finally {
      await rm(folder);
    }
  });

  it('for it says that it is a part of the archive is 400', async () => {
    const headers = { 'content-range': 'bytes 0-999/2000' };
    const answer = await fetch(url, { method: 'PUT', headers, body: Buffer.alloc(1_000) });
    const { error, message } = (await answer.json()) as { readonly error: string; readonly message: string };
    expect([answer.status, error]).toEqual([400, 'invalid_request']);
    expect(message).toContain('Content-Range');
  });

  it('for it has no byte is 400', async () => {
    const { status, body } = await registry.call('PUT', url, '', Buffer.alloc(0));
    expect([status, body.error]).toEqual([400, 'invalid_archive']);
  });

  it('leaves the URL good', async () => {
    expect((await registry.upload(url)).status).toBe(200);
  });
});
