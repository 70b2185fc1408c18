import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const TOO_LARGE = { code: 'payload_too_large', message: 'The file is larger than 1 byte.' };
const ASSET = { id: '0199f2a4-7b1c-7def-8abc-0123456789ab', file_path: 'first.jpg', size_bytes: 1, tags: [] };

/** Stores files of one byte, and has none of them yet. */
let service: HostileServer;
let folder: string;
const files: string[] = [];

beforeAll(async () => {
  service = await hostileServer(({ method, body }, response) => {
    if (method === 'HEAD') response.writeHead(404).end();
    else if (body.includes('large')) sendJson(response, 413, { error: TOO_LARGE });
    else sendJson(response, 201, ASSET);
  });
  folder = await mkdtemp(join(tmpdir(), 'heddle-upload-'));
  for (const [name, content] of [
    ['first.jpg', '1'],
    ['second.bin', 'large'],
    ['third.jpg', '3'],
  ] as const) {
    files.push(join(folder, name));
    await writeFile(join(folder, name), content);
  }
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

it('assets upload names the file that is refused, and what became of the others', async () => {
  const [first, second, third] = files;
  const { code, err } = await heddleInProcess(['assets', 'upload', ...files, '--url', service.url]);
  expect(code).toBe(1);
  expect(err).toContain(
    `heddle: ${second} was not uploaded: payload_too_large: ${TOO_LARGE.message}\n  uploaded: ${first}\n  not tried: ${third}\n`,
  );
  const json = await heddleInProcess(['assets', 'upload', second!, '--json', '--url', service.url]);
  expect(JSON.parse(json.out)).toEqual({ event: 'error', error: { ...TOO_LARGE, file: second } });
});
