import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unknownFilesRejection } from '@heddle/contracts-messages';
import type { CheckedSubmission, Rejection } from '@heddle/contracts-messages';
import { Test } from '@nestjs/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { CatalogueHolder } from '../hold-catalogue/catalogue-holder.js';
import { ValidationLimits } from '../settings.js';
import { ValidationModule } from '../validation.module.js';
import { ValidateSubmissionHandler } from './validate-submission.handler.js';

const objectInfo = gunzipSync(
  readFileSync(new URL('../../../workflow/graph/recorded/object_info-0.33.0.json.gz', import.meta.url)),
);
const bytesOf = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));
const ASSET = '01939aaa-0000-7000-8000-000000000001';
const asset = (info: unknown): object => ({ __type: 'core/ASSET', info });
const loading = (image: unknown, more: object = {}): object => ({
  workflow: {
    '10': { class_type: 'LoadImage', inputs: { image } },
    '9': { class_type: 'SaveImage', inputs: { images: ['10', 0], filename_prefix: 'x', ...more } },
  },
});

let handler: ValidateSubmissionHandler;
let holder: CatalogueHolder;

async function start(limits = new ValidationLimits()): Promise<void> {
  const describe = (): Promise<Uint8Array> => Promise.reject(new Error('there is one engine'));
  const options = { limits, ownEngine: 'builtin', describe, imports: [], log: () => undefined };
  const module = await Test.createTestingModule({ imports: [ValidationModule.register(options)] }).compile();
  holder = module.get(CatalogueHolder);
  handler = module.get(ValidateSubmissionHandler);
}

const rejectionOf = async (body: unknown): Promise<unknown> => {
  const verdict = await handler.handle(bytesOf(body), null);
  return verdict.kind === 'checked' ? null : verdict.rejection;
};
async function checked(body: unknown): Promise<CheckedSubmission> {
  const verdict = await handler.handle(bytesOf(body), null);
  if (verdict.kind !== 'checked') throw new Error(verdict.rejection.message);
  return verdict;
}

/** What is answered if assets have these names and no others. */
function answerWith({ rejection, unknownFiles }: CheckedSubmission, ...answered: string[]): Rejection | null {
  const unknown = unknownFiles.filter(({ name }) => !answered.includes(name));
  return rejection ?? (unknown.length === 0 ? null : unknownFilesRejection(unknown));
}

describe('a submission', () => {
  beforeAll(async () => {
    await start();
    holder.replace(objectInfo);
  });

  it('of good form gives its workflow verbatim and how many nodes will run', async () => {
    const text = '{"workflow": {"2":{"class_type":"PreviewAny","inputs":{"source": 18446744073709551615}} }}';
    const verdict = (await handler.handle(Buffer.from(text), null)) as CheckedSubmission;
    expect(verdict.workflow).toEqual({ start: 13, end: text.length - 1 });
    expect(verdict).toMatchObject({ nodesTotal: 1, metadata: {}, credentials: null, assetIds: [], names: [] });
    expect(answerWith(verdict)).toBeNull();
  });

  it('with classes that nobody has is refused for these alone, whatever the classes and nodes are called', async () => {
    const workflow = {
      __proto__: null,
      '2': { class_type: 'SaveImage', inputs: { images: ['10', 0], filename_prefix: 'x' } },
      '10': { class_type: 'EmptyImagee', inputs: { width: 8 } },
      ä: { class_type: '__proto__', inputs: {} },
      '1': { class_type: 'Nobody', inputs: {} },
    };
    const unknown = [{ field: 'class_type', reason: 'unknown_node_class' }];
    expect(await rejectionOf({ workflow })).toMatchObject({
      code: 'invalid_workflow',
      details: { node_errors: { '1': unknown, '10': unknown, ä: unknown } },
    });
  });

  it('with bad nodes is refused with every problem of every node (api-v2, JobErrors: node_errors)', async () => {
    const workflow = { '1': { class_type: 'Nope' }, '2': { class_type: 'SaveImage', inputs: { images: ['1', 0] } } };
    expect(await rejectionOf({ workflow })).toEqual({
      code: 'invalid_workflow',
      message:
        'The workflow has 2 problems in 2 nodes. Node 1, class_type: The engine has no node class "Nope". ' +
        'Node 2, filename_prefix: The input "filename_prefix" is missing: it takes a text.',
      details: {
        node_errors: {
          '1': [{ field: 'class_type', reason: 'unknown_node_class' }],
          '2': [{ field: 'filename_prefix', reason: 'missing_input' }],
        },
      },
    });
  });

  it('without an output, or in the format of the editor, says so', async () => {
    expect(await rejectionOf({ workflow: {} })).toMatchObject({
      code: 'invalid_workflow',
      details: { node_errors: {} },
    });
    expect(await rejectionOf({ workflow: { nodes: [], links: [] } })).toMatchObject({ code: 'workflow_format_ui' });
    expect(await rejectionOf({ workflow: {}, metadata: { a: 1 } })).toMatchObject({ code: 'metadata_invalid' });
  });

  it('is refused for reserved fields first, then for its workflow, then for its other fields', async () => {
    const body = { webhook_url: 'x', extra_data: 5, metadata: 5 };
    expect(await rejectionOf(body)).toMatchObject({ message: expect.stringContaining('webhook_url') as string });
    const { webhook_url: _, ...unreserved } = body;
    expect(await rejectionOf(unreserved)).toMatchObject({ message: expect.stringContaining('workflow') as string });
    expect(await rejectionOf({ ...unreserved, workflow: { nodes: [], links: [] } })).toMatchObject({
      code: 'workflow_format_ui',
    });
    expect(await rejectionOf({ ...unreserved, workflow: {} })).toMatchObject({
      message: 'The field extra_data must be an object.',
    });
    expect(await rejectionOf({ workflow: {}, metadata: 5 })).toMatchObject({ code: 'metadata_invalid' });
  });

  it('names its assets, each once, and the file names that may be assets', async () => {
    const verdict = await checked(loading(asset({ id: ASSET }), { a: [{ b: asset({ id: ASSET }) }] }));
    expect(verdict).toMatchObject({ assetIds: [ASSET], names: [], rejection: null });
    expect(await checked(loading('me/own.png [input]'))).toMatchObject({ assetIds: [], names: ['me/own.png'] });
  });

  it('whose references cannot exist is missing_asset, whatever else is wrong (JS11, JS13)', async () => {
    for (const info of [undefined, null, {}, { id: 5 }]) {
      expect(await rejectionOf(loading(asset(info)))).toMatchObject({
        code: 'missing_asset',
        message: expect.stringMatching(
          /^The input "\w+" of node "\w+" holds a core\/ASSET object without an id\./,
        ) as string,
        details: { missing_ids: [] },
      });
    }
    expect(await rejectionOf(loading(asset({ id: 'no uuid' }), { images: 'x', filename_prefix: [] }))).toMatchObject({
      code: 'missing_asset',
      details: { missing_ids: ['no uuid'] },
    });
  });

  it('that names assets is refused for its nodes only after the assets were looked up', async () => {
    const verdict = await checked(loading(asset({ id: ASSET }), { images: ['77', 0] }));
    expect(verdict.rejection).toMatchObject({
      details: { node_errors: { '9': [{ field: 'images', reason: 'link_source_not_found' }] } },
    });
  });

  it('needs every file name to be an asset of the account or a file of the engine', async () => {
    const own = await checked(loading('me/own.png'));
    expect(answerWith(own, 'me/own.png')).toBeNull();
    expect(answerWith(own)).toMatchObject({
      code: 'invalid_workflow',
      details: {
        node_errors: {
          '10': [
            { field: 'image', reason: 'custom_validation_failed' },
            { field: 'image', reason: 'value_not_in_list' },
          ],
        },
      },
    });
    expect(answerWith(await checked(loading('grad8x6.png')))).toBeNull();
  });

  it('carries its credentials as they came, and no refusal shows them', async () => {
    const extra_data = { api_key_partner_org: 'canary' };
    const { credentials } = await checked({ ...loading('grad8x6.png'), extra_data });
    expect(credentials?.apiKey?.reveal()).toBe('canary');
    expect(credentials).not.toHaveProperty('authToken');
    const refused = await rejectionOf({ workflow: { '1': {} }, extra_data });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });
});

describe('the catalogue that submissions are judged by', () => {
  it('is awaited: without one nothing is accepted', async () => {
    await start();
    const verdict = await handler.handle(bytesOf(loading('grad8x6.png')), null);
    expect(verdict).toMatchObject({ kind: 'no_catalogue', rejection: { code: 'upstream_error' } });
    expect(holder.version).toBe(0);
    expect(verdict.rejection?.message).toBe(
      'The engine has not described its node classes yet. Send the request again later.',
    );
  });

  it('is missing with the reason, where it is known', async () => {
    await start();
    holder.awaits('the engine is unreachable');
    expect((await handler.handle(bytesOf(loading('grad8x6.png')), null)).rejection?.message).toBe(
      'The engine has not described its node classes yet (the engine is unreachable). ' +
        'Send the request again later.',
    );
  });

  it('is not needed to refuse a body of another form', async () => {
    await start();
    expect(await rejectionOf({ workflow: 3 })).toMatchObject({ code: 'invalid_workflow' });
  });

  it('is replaced as a whole, and kept when an engine answers nonsense', async () => {
    await start();
    holder.replace(objectInfo);
    expect(() => holder.replace(Buffer.from('<html>'))).toThrow(SyntaxError);
    expect([holder.version, holder.current?.classes.size]).toEqual([1, 887]);
    expect(await rejectionOf({ workflow: { '1': { class_type: 'SaveImage' } } })).toMatchObject({
      code: 'invalid_workflow',
    });
  });

  it('is loaded within 150 ms of processor time and 40 MiB, the larger of the recorded ones', () => {
    const before = process.memoryUsage().heapUsed;
    const loads = Array.from({ length: 5 }, () => {
      const started = process.cpuUsage();
      new CatalogueHolder().replace(objectInfo);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    });
    expect(Math.min(...loads)).toBeLessThan(150);
    expect((process.memoryUsage().heapUsed - before) / loads.length).toBeLessThan(40 * 1_048_576);
  });
});

describe('the limits', () => {
  it('are settings', async () => {
    await start(new ValidationLimits({ graph: { maxNodes: 1 }, submission: { maxDepth: 3 }, maxCredentialBytes: 4 }));
    holder.replace(objectInfo);
    expect(await rejectionOf({ workflow: { '1': {}, '2': {} } })).toMatchObject({
      message: 'The workflow has more than 1 nodes. The setting HEDDLE_GRAPH_NODES raises this limit.',
    });
    expect(await rejectionOf(loading('x'))).toMatchObject({
      message: 'The JSON is nested deeper than 3 levels. The setting HEDDLE_JSON_DEPTH raises this limit.',
    });
    expect(await rejectionOf({ workflow: {}, extra_data: { api_key_partner_org: 'abcde' } })).toMatchObject({
      message: expect.stringContaining('longer than 4 bytes') as string,
    });
  });
});
