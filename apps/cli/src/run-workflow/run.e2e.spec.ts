import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashFile } from '../api/file-hash.js';
import { runHeddle } from '../heddle-process.fixture.js';

const DEMO = fileURLToPath(new URL('../../demo/', import.meta.url));
const GRAPH = join(DEMO, 'graph.json');

let service: Standalone;
let folder: string;
let picture: string;
const heddle = (...words: string[]) => runHeddle(words, { HEDDLE_URL: service.url });

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  picture = join(folder, 'picture.jpg');
  await copyFile(join(DEMO, 'lake-at-dusk.jpg'), picture);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle run', () => {
  it('uploads, runs, downloads and checks, and prints a table', async () => {
    const out = join(folder, 'first');
    const { code, out: printed, err } = await heddle('run', GRAPH, '--input', `1.image=${picture}`, '--out', out);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('succeeded') as string });
    expect(err).toContain('input picture.jpg: uploaded');
    const files = (await readdir(out)).sort();
    expect(files).toHaveLength(3);
    expect(printed).toMatch(/^NODE +TYPE +SIZE +BLAKE3 +FILE\n/);
    for (const file of files) expect(printed).toContain(join(out, file));
  });

  it('sends no bytes that the service holds, and leaves equal files alone', async () => {
    const out = join(folder, 'second');
    const again = ['run', GRAPH, '--input', `1.image=${picture}`, '--out', out, '--json'];
    await heddle(...again);
    const { code, lines } = await heddle(...again);
    const events = lines();
    expect(code).toBe(0);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['input', 'submitted', 'status', 'output', 'downloaded', 'finished']),
    );
    expect(events.find(({ event }) => event === 'input')).toMatchObject({ sent: false });
    expect(events.at(-1)).toMatchObject({ event: 'finished', job: { status: 'succeeded' } });
    for (const download of events.filter(({ event }) => event === 'downloaded')) {
      expect((await hashFile(String(download['path']))).hash).toBe(download['hash']);
    }
  });

  it('sets plain values, labels the job and takes a key once', async () => {
    const key = 'b9b3b8a6-0f6e-4d0e-8a36-3b4d3e1a7a11';
    const words = [
      'run',
      GRAPH,
      '--input',
      `1.image=${picture}`,
      '--set',
      '10.string_a=a lake: 7 > 5',
      '--metadata',
      'who=test',
      '--key',
      key,
    ];
    const out = join(folder, 'third');
    const { code, lines } = await heddle(...words, '--out', out, '--json');
    expect(code).toBe(0);
    const caption = lines().find(({ event, node_id }) => event === 'downloaded' && node_id === '11');
    expect(await readFile(String(caption?.['path']), 'utf8')).toBe('a lake: 7 > 5, and its negative');
    const listed = (await heddle('jobs', 'list', '--key', key, '--json')).lines();
    expect(listed).toEqual([expect.objectContaining({ metadata: { who: 'test' } })]);

    const second = await heddle(...words);
    expect(second.code).toBe(1);
    expect(second.err).toContain(`heddle watch ${String(listed[0]?.['id'])}`);
  });

  it('says what is wrong with a graph, node by node, with exit code 1', async () => {
    const { code, err } = await heddle(
      'run',
      GRAPH,
      '--input',
      `1.image=${picture}`,
      '--set',
      '2.width=-5',
      '--set',
      '6.blend_mode=glue',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^ {2}node 2, width: The value -?\d+ is below the minimum of \d+\. \(value_below_min\)$/m);
    expect(err).toMatch(/^ {2}node 6, blend_mode: The value "[^"]+" is not in the list\. .*\. \(value_not_in_list\)$/m);
  });

  it('ends with 2 before anything is sent when the call is wrong', async () => {
    expect((await heddle('run', GRAPH, '--input', '99.image=x.png')).code).toBe(2);
    expect((await heddle('run', GRAPH, '--input', `1.image=${join(folder, 'absent.png')}`)).code).toBe(2);
    await writeFile(join(folder, 'broken.json'), '{"1":');
    // As of `heddle validate`: the graph is at fault, not the command line.
    expect((await heddle('run', join(folder, 'broken.json'))).code).toBe(1);
  });

  it('hands a job over to heddle watch', async () => {
    const started = await heddle('run', GRAPH, '--input', `1.image=${picture}`, '--detach');
    const watched = await heddle('watch', started.out.trim(), '--out', join(folder, 'watched'), '--json');
    expect(watched.code).toBe(0);
    expect(watched.lines().filter(({ event }) => event === 'downloaded')).toHaveLength(3);
  });
});

describe('heddle assets', () => {
  it('upload, show, mint, fetch and delete', async () => {
    const [asset] = (
      await heddle('assets', 'upload', picture, '--as', 'lakes/dusk.jpg', '--tag', 'input', '--json')
    ).lines();
    const { hash } = await hashFile(picture);
    expect(asset).toMatchObject({ hash, file_path: 'lakes/dusk.jpg', tags: ['input'] });
    const id = String(asset?.['id']);
    expect((await heddle('assets', 'show', id)).out).toContain('lakes/dusk.jpg');
    const [minted] = (await heddle('assets', 'mint', hash, '--as', 'again.jpg', '--json')).lines();
    const fetched = await heddle('assets', 'fetch', String(minted?.['id']), '--out', `${folder}/fetched/`);
    expect(fetched.code).toBe(0);
    expect((await hashFile(join(folder, 'fetched/again.jpg'))).hash).toBe(hash);
    expect((await heddle('assets', 'delete', id)).code).toBe(0);
    expect((await heddle('assets', 'show', id)).code).toBe(1);
  });
});
