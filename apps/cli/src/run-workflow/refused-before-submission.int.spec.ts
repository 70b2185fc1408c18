import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import type { CommandOutput } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const GRAPH = {
  '1': { class_type: 'LoadImage', inputs: { image: 'lake.png' } },
  '3': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1 } },
  '5': { class_type: 'MyOwnNode', inputs: { strength: 1 } },
};

/** Refuses every submission: the test checks whether there was one. */
let service: HostileServer;
let folder: string;
let graph: string;
let file: string;
const run = (...words: string[]): Promise<CommandOutput> =>
  heddleInProcess(['run', graph, ...words, '--url', service.url]);

beforeAll(async () => {
  service = await hostileServer((_, response) => sendJson(response, 422, { error: { code: 'seen', message: 'seen' } }));
  folder = await mkdtemp(join(tmpdir(), 'heddle-refused-'));
  graph = join(folder, 'graph.json');
  file = join(folder, 'picture.png');
  await writeFile(graph, JSON.stringify(GRAPH));
  await writeFile(file, 'not empty');
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Expects wrong usage, without any request to the service. */
async function refused(...words: string[]): Promise<string> {
  const before = service.seen.length;
  const { code, err } = await run(...words);
  expect({ code, requests: service.seen.length - before }).toEqual({ code: 2, requests: 0 });
  expect(err).not.toMatch(/^ +at /m);
  return err;
}

describe('heddle run refuses before the job is submitted', () => {
  it('an --out that is a file, or that lies below one', async () => {
    expect(await refused('--out', file)).toBe(
      `heddle: --out ${file} is a file, not a folder\n        choose a folder, for example --out ${file}-outputs\n`,
    );
    const below = join(file, 'a', 'b');
    expect(await refused('--out', below)).toBe(
      `heddle: --out ${below} cannot be made: ${file} is a file, not a folder\n        choose a folder, for example --out ${file}-outputs\n`,
    );
  });

  it('an --out where nothing can be created', async () => {
    expect(await refused('--out', '/proc/heddle-outputs')).toBe(
      'heddle: --out /proc/heddle-outputs cannot be written: /proc: nothing can be created there\n' +
        '        choose another folder\n',
    );
  });

  it.each([
    [['--key', ''], '--key "" is not an idempotency key: it must be 1 to 255 visible ASCII characters'],
    [['--key', 'a b'], '--key "a b" is not an idempotency key: it must be 1 to 255 visible ASCII characters'],
    [['--detach', '--out', 'results'], '--out does not go with --detach'],
    [['--overwrite'], '--overwrite goes with --out DIR'],
    [['--timeout', '-1'], '--timeout must be a number of seconds above 0 and up to 1000000000, not "-1"'],
    [['--input', '1.image=asset:0199f2a4'], '"0199f2a4" is a part of an asset id; the whole id is needed'],
  ])('%j', async (words, message) => {
    expect(await refused(...words)).toContain(`heddle: ${message}\n`);
  });

  it('a misspelt input, with the inputs of the node and the nearest one', async () => {
    expect(await refused('--set', '3.widht=128')).toBe(
      'heddle: node 3 (EmptyImage) has no input "widht"; did you mean 3.width?\n' +
        '        its inputs are width, height, batch_size, color\n',
    );
    expect(await refused('--input', `1.imag=${file}`)).toContain(
      'node 1 (LoadImage) has no input "imag"; did you mean 1.image?\n        its inputs are image\n',
    );
    expect(await refused('--set', '3.nothing_like_it=1')).toContain('has no input "nothing_like_it"\n');
  });

  it('a node that the graph does not have, with those that it has', async () => {
    expect(await refused('--set', '33.width=1')).toContain(
      'the graph has no node "33"\n        its nodes are 1, 3, 5\n',
    );
  });
});

describe('heddle run submits', () => {
  it('an input that the class declares and the graph leaves out', async () => {
    const { err } = await run('--set', '3.color=255');
    expect(err).not.toContain('has no input');
    expect(service.seen.at(-1)?.body.toString()).toContain('"color": 255');
  });

  it('an unknown input of a class that only the service knows, and warns', async () => {
    const { err } = await run('--set', '5.strenght=2');
    expect(err).toContain(
      'heddle: warning: node 5 (MyOwnNode) has no input "strenght" in this graph; did you mean 5.strength?\n',
    );
    expect(service.seen.at(-1)?.body.toString()).toContain('"strenght": 2');
  });
});
