import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';
import { MAX_GRAPH_BYTES } from './read-graph.js';

const RECORDED = new URL('../../../../libs/workflow/graph/recorded/', import.meta.url);
const make = { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } };
const save = { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } };

let folder: string;
let engine: Server;
let engineUrl: string;
let answer: { status: number; body: string | Buffer };
const validate = (...words: string[]) => runHeddle(['validate', ...words], {});

async function graph(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-validate-'));
  const objectInfo = gunzipSync(await readFile(new URL('object_info-0.33.0.json.gz', RECORDED)));
  answer = { status: 200, body: objectInfo };
  await writeFile(
    join(folder, 'older.json'),
    gunzipSync(await readFile(new URL('object_info-0.3.64.json.gz', RECORDED))),
  );
  engine = createServer((request, response) => {
    const known = request.url === '/object_info';
    response.writeHead(known ? answer.status : 404).end(known ? answer.body : '');
  });
  await new Promise<void>((listening) => engine.listen(0, '127.0.0.1', listening));
  engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((closed) => engine.close(closed));
  await rm(folder, { recursive: true, force: true });
});

describe('heddle validate', () => {
  it('judges by the built-in engine, and prints every problem with its correction', async () => {
    const good = await graph('good.json', { '1': make, '2': save });
    const bad = await graph('bad.json', {
      '1': { class_type: 'EmptyImagee', inputs: {} },
      '2': { class_type: 'SaveImage', inputs: { images: ['7', 0] } },
    });
    const { code, out, err } = await validate(good, bad);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.split('\n')).toEqual([
      `${good}: valid`,
      `${bad}: invalid_workflow: 3 problems in 2 nodes`,
      '  node 1, class_type: The engine has no node class "EmptyImagee". Did you mean "EmptyImage"? (unknown_node_class)',
      '  node 2, filename_prefix: The input "filename_prefix" is missing: it takes a text. (missing_input)',
      '  node 2, images: The link leads to node "7", which the workflow does not have. (link_source_not_found)',
      '',
    ]);
  });

  it('prints one line a file with --json: what POST /jobs would answer inside its envelope', async () => {
    const good = await graph('good.json', { '1': make, '2': save });
    const files = [
      good,
      await graph('nan.json', '{"1":NaN}'),
      await graph('canvas.json', { nodes: [], links: [] }),
      await graph('asset.json', { '1': { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET' } } } }),
      await graph('node.json', { '1': make, '2': { ...save, inputs: { ...save.inputs, images: ['1', 1] } } }),
      await graph('large.json', ' '.repeat(MAX_GRAPH_BYTES + 1)),
    ];
    const { code, lines } = await validate('--json', ...files);
    expect(code).toBe(1);
    expect(lines()).toEqual([
      { file: good, valid: true, error: null, warnings: [] },
      {
        file: files[1],
        valid: false,
        error: expect.objectContaining({ code: 'invalid_workflow', details: { node_errors: {} } }) as object,
        warnings: [],
      },
      {
        file: files[2],
        valid: false,
        error: expect.objectContaining({ code: 'workflow_format_ui' }) as object,
        warnings: [],
      },
      {
        file: files[3],
        valid: false,
        error: expect.objectContaining({ code: 'missing_asset' }) as object,
        warnings: [],
      },
      {
        file: files[4],
        valid: false,
        error: {
          code: 'invalid_workflow',
          message:
            'The workflow has 1 problem in 1 node. Node 2, images: The link leads to slot 1, and "EmptyImage" has one output, slot 0.',
          details: { node_errors: { '2': [{ field: 'images', reason: 'link_slot_out_of_range' }] } },
        },
        warnings: [],
      },
      {
        file: files[5],
        valid: false,
        error: expect.objectContaining({ code: 'payload_too_large' }) as object,
        warnings: [],
      },
    ]);
  });

  it('judges by a recorded file or a running engine, each by its own rules', async () => {
    const blend = { image1: ['1', 0], image2: ['1', 0], blend_factor: 0.5, blend_mode: 'unheard of' };
    const file = await graph('blend.json', {
      '1': make,
      '2': { class_type: 'ImageBlend', inputs: blend },
      '3': { ...save, inputs: { ...save.inputs, images: ['2', 0] } },
    });
    answer = { ...answer, status: 200 };
    expect((await validate('--catalogue', join(folder, 'older.json'), file)).code).toBe(0);
    for (const url of [engineUrl, `${engineUrl}/`, `${engineUrl}/object_info`]) {
      const { code, out } = await validate('--catalogue', url, file);
      expect(code).toBe(1);
      expect(out).toContain('The input takes one of "normal", ');
    }
  });

  it('says which of the two is missing: the graph, the engine, or its catalogue', async () => {
    const good = await graph('good.json', { '1': make, '2': save });
    expect(await validate()).toMatchObject({ code: 2 });
    expect(await validate(join(folder, 'none.json'), good)).toMatchObject({
      code: 2,
      out: `${good}: valid\n`,
      err: expect.stringContaining('none.json does not exist') as string,
    });
    expect(await validate('--catalogue', join(folder, 'none.json'), good)).toMatchObject({ code: 2 });
    const nowhere = await validate('--catalogue', 'http://127.0.0.1:1', good);
    expect(nowhere).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') as string });
    const { body } = answer;
    for (const broken of [
      { status: 500, body: 'x' },
      { status: 200, body: '{}' },
      { status: 200, body: '<html>' },
    ]) {
      answer = broken;
      expect(await validate('--catalogue', engineUrl, good)).toMatchObject({ code: 1, out: '' });
    }
    answer = { status: 200, body };
  });
});
