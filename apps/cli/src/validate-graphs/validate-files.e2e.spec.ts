import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { startStandalone } from '@heddle/testing-standalone';
import { HeddleClient, jsonOf } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';

const DEMO = fileURLToPath(new URL('../../demo/', import.meta.url));
const GRAPH = join(DEMO, 'graph.json');
const PICTURE = join(DEMO, 'lake-at-dusk.jpg');
const RECORDED = new URL('../../../../libs/workflow/graph/recorded/', import.meta.url);
const GENERATIONS = ['0.3.64', '0.33.0'];

let folder: string;
const validate = (...words: string[]) => runHeddle(['validate', ...words], {});
const recorded = (version: string): string => join(folder, `object_info-${version}.json`);
const preview = { class_type: 'PreviewImage', inputs: { images: ['1', 0] } };

async function graph(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}
const loading = (name: string, image: unknown): Promise<string> =>
  graph(name, { '1': { class_type: 'LoadImage', inputs: { image } }, '2': preview });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-validate-files-'));
  for (const version of GENERATIONS)
    await writeFile(recorded(version), gunzipSync(await readFile(new URL(`object_info-${version}.json.gz`, RECORDED))));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The built-in engine and both recorded ones. */
const CATALOGUES: [string, () => string[]][] = [
  ['the built-in engine', () => []],
  ...GENERATIONS.map((version): [string, () => string[]] => [version, () => ['--catalogue', recorded(version)]]),
];

describe.each(CATALOGUES)('a graph that loads a file, against %s', (_, catalogue) => {
  it('is valid; a name that only a service knows is a warning', async () => {
    const file = await loading('mine.json', 'photos/mine.png');
    const { code, err, lines } = await validate(...catalogue(), '--json', file);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = expect.stringMatching(/^node 1, image: "photos\/mine.png" not checked: /) as string;
    expect(lines()).toEqual([{ file, valid: true, error: null, warnings: [text] }]);
    const read = await validate(...catalogue(), file);
    expect(read).toMatchObject({ code: 0, err: '' });
    const [verdict, warning, ...rest] = read.out.split('\n');
    expect([verdict, rest]).toEqual([`${file}: valid, 1 warning`, ['']]);
    expect(warning).toMatch(/^ {2}warning: node 1, image: "photos\/mine.png" not checked: /);
  });

  it('is valid without a warning when --input names the file', async () => {
    const file = await loading('placed.json', 'photos/mine.png');
    for (const input of [`1.image=${PICTURE}`, '1.image=asset:01939aaa-0000-7000-8000-000000000001']) {
      const { code, lines } = await validate(...catalogue(), '--json', '--input', input, file);
      expect({ code, lines: lines() }).toEqual({ code: 0, lines: [{ file, valid: true, error: null, warnings: [] }] });
    }
  });

  it('reports one problem for one cause: a name that leaves the input folder', async () => {
    for (const name of ['../secret.png', '/etc/hostname', '', 'x.png [output]']) {
      const { code, out } = await validate(...catalogue(), await loading('unsafe.json', name));
      expect(code).toBe(1);
      const [verdict, problem, ...rest] = out.split('\n');
      expect(verdict).toMatch(/: invalid_workflow: 1 problem in 1 node$/);
      expect(problem).toMatch(/^ {2}node 1, image: .*does not name an input file: .* \(value_not_in_list\)$/);
      expect(rest).toEqual(['']);
    }
  });
});

describe('heddle validate', () => {
  it("takes the demonstration's own graph, as it is and with its picture", async () => {
    const bare = await validate('--json', GRAPH);
    expect(bare.lines()).toMatchObject([
      { valid: true, error: null, warnings: [expect.stringContaining('lake-at-dusk')] },
    ]);
    const placed = await validate('--json', GRAPH, '--input', `1.image=${PICTURE}`);
    expect(placed.lines()).toEqual([{ file: GRAPH, valid: true, error: null, warnings: [] }]);
    expect([bare.code, placed.code]).toEqual([0, 0]);
  });

  it('takes every loader of the newer engine by name, and none with a name of nowhere', async () => {
    const loaders = {
      LoadImage: 'image',
      LoadImageMask: 'image',
      LoadAudio: 'audio',
      LoadVideo: 'file',
      LoadLatent: 'latent',
    };
    for (const [className, input] of Object.entries(loaders)) {
      const inputs = { [input]: 'mine.bin', ...(className === 'LoadImageMask' ? { channel: 'red' } : {}) };
      const file = await graph('loader.json', {
        '1': { class_type: className, inputs },
        '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      });
      const { lines } = await validate('--catalogue', recorded('0.33.0'), '--json', file);
      expect(lines()).toMatchObject([{ valid: true, warnings: [expect.stringContaining('mine.bin')] }]);
    }
  });

  it('warns beside problems, and judges an input where no file may stand', async () => {
    const file = await graph('both.json', {
      '1': { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
      '2': { ...preview, inputs: { images: ['1', 9] } },
    });
    const { code, out } = await validate(file);
    expect(code).toBe(1);
    expect(out).toContain('1 problem in 1 node\n  node 2, images: The link leads to slot ');
    expect(out).toContain('\n  warning: node 1, image: "mine.png"');
    const wrong = await validate('--json', '--input', `2.width=${PICTURE}`, GRAPH);
    expect(wrong.lines()).toMatchObject([
      {
        valid: false,
        error: { details: { node_errors: { '2': [{ field: 'width', reason: 'invalid_value_type' }] } } },
      },
    ]);
  });

  it('ends with 2 when --input is wrong, and still judges the other graphs', async () => {
    const file = await loading('other.json', 'mine.png');
    for (const input of ['1.image', '1=x', `1.image=${join(folder, 'absent.png')}`, '1.image=asset:7']) {
      expect(await validate('--input', input, file)).toMatchObject({ code: 2, out: '' });
    }
    const input = `11.source=${PICTURE}`;
    const { code, out, err } = await validate('--input', input, file, GRAPH);
    expect({ code, out: out.split('\n')[0] }).toEqual({ code: 2, out: `${GRAPH}: valid, 1 warning` });
    expect(err).toContain(`${file}: the graph has no node "11"`);
    // A file that is not a graph is described as such, whatever its inputs.
    const canvas = await graph('canvas.json', { nodes: [], links: [] });
    const { lines } = await validate('--json', '--input', input, canvas);
    expect(lines()).toMatchObject([{ valid: false, error: { code: 'workflow_format_ui' } }]);
  });

  it('differs from POST /jobs in that alone: the service refuses the name as before', async () => {
    const service = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
    try {
      const client = await HeddleClient.connect(service.url);
      const answer = await client.submit({
        '1': { class_type: 'LoadImage', inputs: { image: 'photos/mine.png' } },
        '2': preview,
      });
      expect(answer.status).toBe(422);
      const { error } = jsonOf<{ error: { message: string; details: { node_errors: object } } }>(answer);
      expect(error.details.node_errors).toEqual({
        '1': [
          { field: 'image', reason: 'custom_validation_failed' },
          { field: 'image', reason: 'value_not_in_list' },
        ],
      });
      expect(error.message).toBe(
        'The workflow has 1 problem in 1 node. Node 1, image: No asset or input file is named photos/mine.png.',
      );
    } finally {
      await service.stop();
    }
  });
});
