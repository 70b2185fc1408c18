import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../api/api-client.js';
import { hostileServer } from '../hostile-server.fixture.js';
import type { Seen } from '../hostile-server.fixture.js';
import { downloadContent } from './download-content.js';

const BYTES = Buffer.from('the bytes of an output');
const hashOf = (bytes: Buffer): string => `blake3:${new Blake3Hasher().update(bytes).digest('hex')}`;
const CONTENT = { id: 'a1', url: '/api/v2/assets/a1/content', sizeBytes: BYTES.length, hash: hashOf(BYTES) };

let folder: string;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-download-'));
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true, force: true });
});

async function served(answer: (seen: Seen, response: ServerResponse) => void) {
  const service = await hostileServer(answer);
  const client = new ApiClient(service.url, null);
  open.push(client, service);
  return { client, service };
}

const full = (_: Seen, response: ServerResponse): void => void response.end(BYTES);
const target = (name: string, overwrite = false) => ({ path: join(folder, name), overwrite });

describe('a download', () => {
  it('gets its name only when size and hash are right', async () => {
    const { client } = await served(full);
    const download = await downloadContent(client, CONTENT, target('a.png'));
    expect(download).toEqual({
      path: join(folder, 'a.png'),
      sizeBytes: BYTES.length,
      hash: CONTENT.hash,
      written: true,
    });
    expect(await readFile(download.path)).toEqual(BYTES);
  });

  it('follows one redirect, wherever it leads, and sends no token there', async () => {
    const store = await hostileServer(full);
    const service = await hostileServer((seen, response) => {
      response.writeHead(seen.headers.authorization === 'Bearer mine' ? 302 : 401, {
        location: `${store.url}/signed?x=1`,
      });
      response.end();
    });
    const client = new ApiClient(service.url, 'mine');
    open.push(client, service, store);
    await downloadContent(client, CONTENT, target('a.png'));
    expect(store.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/signed?x=1', undefined]]);
  });

  it('does not follow a second redirect, nor one that leads nowhere', async () => {
    const { client } = await served((seen, response) => {
      const location = seen.url === '/signed' ? '/signed' : `http://${seen.headers.host}/signed`;
      response.writeHead(302, { location }).end();
    });
    await expect(downloadContent(client, CONTENT, target('a.png'))).rejects.toThrow('redirects');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['other bytes', Buffer.from('THE BYTES OF AN OUTPUT'), 'does not have the bytes'],
    ['fewer bytes', BYTES.subarray(1), 'instead of'],
    ['more bytes', Buffer.concat([BYTES, BYTES]), 'more bytes'],
  ])('with %s leaves nothing behind', async (_, bytes, why) => {
    const { client } = await served((__, response) => response.end(bytes));
    await expect(downloadContent(client, CONTENT, target('a.png'))).rejects.toThrow(why);
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes on where a broken connection stopped', async () => {
    const { client, service } = await served(({ headers }, response) => {
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
      if (from === 0) {
        response.writeHead(200, { 'content-length': String(BYTES.length) });
        response.write(BYTES.subarray(0, 5), () => response.socket?.destroy());
        return;
      }
      response.writeHead(206).end(BYTES.subarray(from));
    });
    expect((await downloadContent(client, CONTENT, target('a.png'))).hash).toBe(CONTENT.hash);
    expect(service.seen.at(-1)?.headers.range).toBe('bytes=5-');
  });

  it('reads past what it has where the service sends everything again', async () => {
    let first = true;
    const { client } = await served((_, response) => {
      response.writeHead(200, { 'content-length': String(BYTES.length) });
      if (first) response.write(BYTES.subarray(0, 5), () => response.socket?.destroy());
      else response.end(BYTES);
      first = false;
    });
    expect((await downloadContent(client, CONTENT, target('a.png'))).hash).toBe(CONTENT.hash);
  });

  it('never replaces another file: it takes the next free name', async () => {
    const { client } = await served(full);
    await writeFile(join(folder, 'a.png'), 'precious');
    expect((await downloadContent(client, CONTENT, target('a.png'))).path).toBe(join(folder, 'a-2.png'));
    expect(await readFile(join(folder, 'a.png'), 'utf8')).toBe('precious');
  });

  it('leaves a file with the same bytes alone', async () => {
    const { client } = await served(full);
    await writeFile(join(folder, 'a.png'), BYTES);
    expect(await downloadContent(client, CONTENT, target('a.png'))).toMatchObject({
      path: join(folder, 'a.png'),
      written: false,
    });
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('replaces a file when it is told to', async () => {
    const { client } = await served(full);
    await writeFile(join(folder, 'a.png'), 'old');
    await downloadContent(client, CONTENT, target('a.png', true));
    expect(await readdir(folder)).toEqual(['a.png']);
    expect(await readFile(join(folder, 'a.png'))).toEqual(BYTES);
  });

  it('loses nothing when many go to one name at once', async () => {
    const { client } = await served(({ url }, response) => response.end(Buffer.from(url)));
    const contents = Array.from({ length: 16 }, (_, i) => `/c/${i}`).map((url) => ({
      id: url,
      url,
      sizeBytes: null,
      hash: hashOf(Buffer.from(url)),
    }));
    const downloads = await Promise.all(contents.map((content) => downloadContent(client, content, target('a.png'))));
    expect(new Set(downloads.map(({ path }) => path)).size).toBe(16);
    for (const { path, hash } of downloads) expect(hashOf(await readFile(path))).toBe(hash);
  });
});
