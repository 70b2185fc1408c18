import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from './heddle-in-process.fixture.js';
import { runHeddle, runLimited } from './heddle-process.fixture.js';
import type { Ended } from './heddle-process.fixture.js';
import { hostileServer, sendJson } from './hostile-server.fixture.js';
import type { HostileServer } from './hostile-server.fixture.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
const BYTES = Buffer.from('the bytes of an output');
let content = BYTES;
const asset = () => ({
  id: ID,
  file_path: 'a.png',
  size_bytes: content.length,
  hash: `blake3:${new Blake3Hasher().update(content).digest('hex')}`,
});
const ended = () => {
  const output = { ...asset(), node_id: '8', type: 'image', name: 'a.png', url: `/api/v2/assets/${ID}/content` };
  return { id: ID, status: 'succeeded', outputs: [output], urls: {} };
};

let folder: string;
let service: HostileServer;

beforeEach(async () => {
  content = BYTES;
  folder = await mkdtemp(join(tmpdir(), 'heddle-files-'));
  await writeFile(join(folder, 'file'), 'not a folder');
  service = await hostileServer(({ method, url }, response) => {
    if (method === 'HEAD') return void response.writeHead(404).end();
    if (url.endsWith('/content')) return void response.end(content);
    if (url.endsWith('/workflow')) return sendJson(response, 404, { error: { code: 'not_found', message: 'No.' } });
    if (url.includes('/jobs/')) return sendJson(response, 200, ended());
    sendJson(response, 200, asset());
  });
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const heddle = (...words: string[]) => heddleInProcess(words, { HEDDLE_URL: service.url });

describe('a file that cannot be written', () => {
  it('is named in one sentence, and nothing is left behind', async () => {
    const file = join(folder, 'file');
    expect(await heddle('assets', 'fetch', ID, '--out', join(file, 'a.png'))).toEqual({
      code: 2,
      out: '',
      err: `heddle: ${file} is a file, not a folder\n        choose another folder\n`,
    });
    await mkdir(join(folder, 'results', 'a.png'), { recursive: true });
    const taken = join(folder, 'results', 'a.png');
    const results = `${join(folder, 'results')}/`;
    const { code, err } = await heddle('assets', 'fetch', ID, '--out', results, '--overwrite');
    expect({ code, err }).toEqual({
      code: 2,
      err: `heddle: ${taken} cannot be written: the path is a folder, not a file\n`,
    });
    expect(await readdir(join(folder, 'results'))).toEqual(['a.png']);
  });

  it('is not a device, which is refused before anything is fetched', async () => {
    for (const device of ['/dev/null', '/dev/stdout', '/dev/fd/1']) {
      const { code, err } = await heddle('assets', 'fetch', ID, '--out', device, '--overwrite');
      expect({ code, err }).toEqual({
        code: 2,
        err: `heddle: --out ${device} is neither a file nor a folder\n        name a file or a folder, for example --out results/\n`,
      });
    }
    expect(service.seen).toEqual([]);
  });

  it('for want of room is the fault of this machine, not of the service, and nothing is left behind', async () => {
    content = Buffer.alloc(200_000, 'x');
    const out = join(folder, 'a.png');
    const limited = async (...words: string[]): Promise<Ended> =>
      await runLimited(['assets', 'fetch', ID, '--out', out, ...words], { HEDDLE_URL: service.url });
    const message = `${out} cannot be written: the file would be larger than this system allows`;
    const hint = 'make room and try again, or choose another place with --out';
    expect(await limited()).toMatchObject({ code: 1, out: '', err: `heddle: ${message}\n        ${hint}\n` });
    const [line] = (await limited('--json')).lines();
    expect(line).toEqual({ event: 'error', error: { code: 'failed', message, hint } });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('for want of room ends with how to fetch the rest of a job', async () => {
    content = Buffer.alloc(200_000, 'x');
    const out = join(folder, 'results');
    const { code, err } = await runLimited(['watch', ID, '--out', out], { HEDDLE_URL: service.url });
    const text = `${join(out, 'a.png')} cannot be written: the file would be larger than this system allows`;
    const hint = `heddle watch ${ID} --out DIR fetches the rest`;
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`heddle: ${text}\n        ${hint}\n`) as string,
    });
    expect(await readdir(out)).toEqual([]);
  });

  it('does not keep the command busy for ever in a place where nothing can be created', async () => {
    const out = '/proc/heddle-outputs/';
    const { code, err } = await heddle('assets', 'fetch', ID, '--out', out);
    expect({ code, err }).toEqual({
      code: 2,
      err: `heddle: ${out}a.png cannot be written: nothing can be created there\n`,
    });
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['run', []],
    ['validate', []],
    ['validate', ['apps/cli/demo/graph.json', '--catalogue']],
    ['assets upload', []],
    ['run', ['apps/cli/demo/graph.json', '--input'], '1.image='],
    ['history query', ['--file']],
  ])('is named in the same words by heddle %s %j', async (command, words, prefix = '') => {
    for (const [file, what] of [
      [join(folder, 'absent'), 'does not exist'],
      [folder, 'is a folder, not a file'],
    ] as const) {
      const { code, err } = await heddle(...command.split(' '), ...words, prefix + file);
      expect({ code, err }).toEqual({ code: 2, err: `heddle: ${file} ${what}\n` });
    }
  });

  it('is named in these words where it holds a token', async () => {
    const env = { HEDDLE_URL: service.url, HEDDLE_TOKEN_FILE: folder };
    const { code, err } = await heddleInProcess(['jobs'], env);
    expect({ code, err }).toEqual({
      code: 2,
      err: `heddle: HEDDLE_TOKEN_FILE: ${folder} is a folder, not a file\n`,
    });
  });
});

describe('a current folder that was removed', () => {
  it('is wrong usage, without a stack', async () => {
    const gone = join(folder, 'gone');
    await mkdir(gone);
    const remove = `process.chdir(${JSON.stringify(gone)}); require('node:fs').rmdirSync(${JSON.stringify(gone)});`;
    const preload = join(folder, 'remove.cjs');
    await writeFile(preload, remove);
    const { code, err } = await runHeddle(['history', 'verify'], { NODE_OPTIONS: `--require ${preload}` });
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
    expect(err).toContain('the current folder does not exist any more');
  });
});

describe('assets upload', () => {
  it('checks every file before it sends the first', async () => {
    const absent = join(folder, 'absent');
    const { code, err } = await heddle('assets', 'upload', join(folder, 'file'), absent);
    expect({ code, err }).toEqual({ code: 2, err: `heddle: ${absent} does not exist\n` });
    expect(service.seen).toEqual([]);
  });
});
