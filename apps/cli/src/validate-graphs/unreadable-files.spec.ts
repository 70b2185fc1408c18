import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { readGraphFile } from '../run-workflow/graph-file.js';

let folder: string;
let good: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-unreadable-'));
  good = join(folder, 'good.json');
  const nodes = {
    '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
    '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  };
  await writeFile(good, JSON.stringify(nodes));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const judge = async (...words: string[]) => {
  const { code, out, err } = await heddleInProcess(['validate', '--json', ...words]);
  const lines = out.split('\n').filter(Boolean);
  return { code, err, lines: lines.map((line) => JSON.parse(line) as unknown) };
};

it('validate --json prints a line for each file, those that it cannot read included', async () => {
  const absent = join(folder, 'absent.json');
  const { code, err, lines } = await judge(absent, folder, good);
  expect(code).toBe(2);
  const unreadable = (file: string, message: string) => ({
    file,
    valid: false,
    error: { code: 'usage', message },
    warnings: [],
  });
  expect(lines).toEqual([
    unreadable(absent, `${absent} does not exist`),
    unreadable(folder, `${folder} is a folder, not a file`),
    { file: good, valid: true, error: null, warnings: [] },
  ]);
  expect(err).toBe(`heddle: ${absent} does not exist\nheddle: ${folder} is a folder, not a file\n`);
});

it('validate --json prints a line for a graph that --input does not fit, with the nearest input', async () => {
  const { code, lines } = await judge('--input', `1.widht=${good}`, good);
  expect(code).toBe(2);
  expect(lines).toEqual([
    {
      file: good,
      valid: false,
      error: { code: 'usage', message: 'node 1 (EmptyImage) has no input "widht"; did you mean 1.width?' },
      warnings: [],
    },
  ]);
});

it('validate accepts a byte order mark, which run does not send', async () => {
  const marked = join(folder, 'marked.json');
  await writeFile(marked, `\ufeff${await readFile(good, 'utf8')}`);
  expect(await judge(marked)).toMatchObject({ code: 0, lines: [{ file: marked, valid: true }] });
});

it('validate and run name one limit for a graph that is nested too deeply', async () => {
  const deep = join(folder, 'deep.json');
  await writeFile(deep, `{"1":${'['.repeat(600)}${']'.repeat(600)}}`);
  const sentence = 'The JSON is nested deeper than 64 levels. The setting HEDDLE_JSON_DEPTH raises this limit.';
  expect(await judge(deep)).toMatchObject({ code: 1, lines: [{ error: { message: sentence } }] });
  await expect(readGraphFile(deep)).rejects.toThrow(sentence);
});

it('validate says of a picture what it is, not at which column its JSON is broken', async () => {
  const picture = join(folder, 'lake.json');
  await writeFile(picture, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]));
  const error = { code: 'invalid_workflow', message: 'The file is not text: it is a JPEG picture.' };
  expect(await judge(picture)).toEqual({
    code: 1,
    err: '',
    lines: [{ file: picture, valid: false, error, warnings: [] }],
  });
});
