import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unknownFilesRejection } from '@heddle/contracts-messages';
import type { Rejection, SubmissionVerdict } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { CatalogueHolder } from '../hold-catalogue/catalogue-holder.js';
import { PinnedCatalogues } from '../hold-catalogue/pinned-catalogues.js';
import { ValidationLimits } from '../settings.js';
import { NamePackages } from './name-packages.js';
import { ValidateSubmissionHandler } from './validate-submission.handler.js';

const SOURCES = {
  ownEngine: 'builtin',
  stored: null,
  registry: null,
  log: () => undefined,
  describe: () => Promise.reject(new Error('not asked')),
};
const holder = new CatalogueHolder();
holder.replace(
  gunzipSync(readFileSync(new URL('../../../workflow/graph/recorded/object_info-0.33.0.json.gz', import.meta.url))),
);
const handler = new ValidateSubmissionHandler(
  new PinnedCatalogues(holder, SOURCES),
  new ValidationLimits(),
  new NamePackages(undefined),
);

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

/** Null if accepted; otherwise the message and the distinct reasons. */
async function refusal(body: string | Uint8Array): Promise<{ message: string; reasons: string[] } | null> {
  const judged = await handler.handle(typeof body === 'string' ? Buffer.from(body) : body, null);
  const rejection = rejectionOf(judged);
  if (rejection === null) return null;
  expect(rejection.code).toBe('invalid_workflow');
  const errors = (rejection.details as { node_errors: Record<string, { reason: string }[]> }).node_errors;
  const reasons = new Set(Object.values(errors).flatMap((list) => list.map(({ reason }) => reason)));
  expect(rejection.message.length).toBeLessThan(1_500);
  return { message: rejection.message, reasons: [...reasons].sort() };
}
function rejectionOf(verdict: SubmissionVerdict): Rejection | null {
  if (verdict.kind !== 'checked' || verdict.rejection !== null) return verdict.rejection;
  return verdict.unknownFiles.length === 0 ? null : unknownFilesRejection(verdict.unknownFiles);
}
const refusalOf = (workflow: object): ReturnType<typeof refusal> => refusal(JSON.stringify({ workflow }));

/** A chain of `count` nodes; the first has `first` as its input. */
function chain(count: number, first: unknown = 'x'): Graph {
  const graph: Graph = { out: { class_type: 'PreviewAny', inputs: { source: [`n${count - 2}`, 0] } } };
  for (let i = 0; i < count - 1; i++) {
    graph[`n${i}`] = { class_type: 'ImageInvert', inputs: { image: i === 0 ? first : [`n${i - 1}`, 0] } };
  }
  return graph;
}
const preview = (source: unknown): Graph => ({ '1': { class_type: 'PreviewAny', inputs: { source } } });

/** Processor time in milliseconds, the minimum of three runs. */
async function cost(body: Uint8Array): Promise<number> {
  const turns: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const before = process.cpuUsage();
    await refusal(body);
    const { user, system } = process.cpuUsage(before);
    turns.push((user + system) / 1_000);
  }
  return Math.min(...turns);
}

describe('graphs built to hurt', () => {
  it('may be 5,000 nodes long, in a chain or a ring, and no longer', async () => {
    expect(await refusalOf(chain(5_000))).toBeNull();
    expect(await refusalOf(chain(5_000, ['n4998', 0]))).toEqual({
      message: expect.stringContaining('4999 problems in 4999 nodes') as string,
      reasons: ['dependency_cycle'],
    });
    expect(await refusalOf(chain(5_001))).toMatchObject({
      message: 'The workflow has more than 5000 nodes. The setting HEDDLE_GRAPH_NODES raises this limit.',
    });
  });

  it('may link everything to everything', async () => {
    const graph = preview('x');
    for (let i = 0; i < 300; i++) {
      const inputs: Record<string, unknown> = { image: ['1', 0] };
      for (let j = 0; j < 200; j++) inputs[`extra${j}`] = [`n${(i * 7 + j) % 300}`, 0];
      graph[`n${i}`] = { class_type: 'ImageInvert', inputs };
    }
    expect(await refusalOf(graph)).toMatchObject({
      message: 'The workflow has more than 50000 links. The setting HEDDLE_GRAPH_LINKS raises this limit.',
    });
  });

  it('may hold a text of 10 MiB, or one of a mebibyte in every way that it can be meant', async () => {
    expect(await refusalOf(preview('x'.repeat(10 * 1_048_576)))).toMatchObject({ reasons: ['unsupported_value'] });
    expect(await refusalOf(preview('ü"\n'.repeat(1_048_576)))).toMatchObject({ reasons: ['unsupported_value'] });
    const long = '9'.repeat(1_000_000);
    const empty = {
      width: long,
      height: `${' '.repeat(999_999)}x`,
      batch_size: `${'1_'.repeat(400_000)}1`,
      color: long,
    };
    const graph = { ...preview(['e', 0]), e: { class_type: 'EmptyImage', inputs: empty } };
    expect(await refusalOf(graph)).toMatchObject({ reasons: ['invalid_value_type'] });
    expect(await refusalOf({ ...preview('x'), e: { class_type: long, inputs: {} } })).toMatchObject({
      reasons: ['unknown_node_class'],
    });
    expect(await refusalOf({ ...preview('x'), [long]: { class_type: 'ImageInvert', inputs: {} } })).toMatchObject({
      reasons: ['unsupported_value'],
    });
  });

  it('may hold what is no number, and lists that nest or hold themselves', async () => {
    for (const value of ['NaN', 'Infinity', '-Infinity', '{"__value__":NaN}', '1e', '01', '0x10']) {
      const body = `{"workflow":{"1":{"class_type":"PreviewAny","inputs":{"source":${value}}}}}`;
      expect(await refusal(body)).toMatchObject({
        message: expect.stringMatching(
          /^The body is not valid JSON: the mistake is at line 1, column \d+\.$/,
        ) as string,
      });
    }
    const nested = (depth: number): string =>
      `{"workflow":{"1":{"class_type":"PreviewAny","inputs":{"source":{"__value__":${'['.repeat(depth)}${']'.repeat(depth)}}}}}}`;
    expect(await refusal(nested(58))).toBeNull();
    expect(await refusal(nested(100_000))).toMatchObject({
      message: 'The JSON is nested deeper than 64 levels. The setting HEDDLE_JSON_DEPTH raises this limit.',
    });
    const self = { ...preview(['a', 0]), a: { class_type: 'ImageInvert', inputs: { image: ['a', 0] } } };
    expect(await refusalOf(self)).toMatchObject({ reasons: ['dependency_cycle'] });
    expect(await refusal(Buffer.from('{"workflow":{"1":{"class_type":"\xff"}}}', 'latin1'))).toMatchObject({
      message: 'The body is not valid UTF-8.',
    });
  });

  it('may use the names that every object inherits, which are names like others', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const quoted = JSON.stringify(name);
      const named = (id: string, cls: string, inputs: string): string =>
        `{"workflow":{${id}:{"class_type":${cls},"inputs":${inputs}}}}`;
      expect(await refusal(named(quoted, '"PreviewAny"', '{"source":"x"}'))).toBeNull();
      expect(await refusal(named('"1"', quoted, '{}'))).toMatchObject({ reasons: ['unknown_node_class'] });
      expect(await refusal(named('"1"', '"PreviewAny"', `{"source":1,${quoted}:{"class_type":"x"}}`))).toBeNull();
      expect(await refusal(named('"1"', '"PreviewAny"', `{${quoted}:1}`))).toMatchObject({
        reasons: ['missing_input'],
      });
      expect(await refusal(named('"1"', '"PreviewAny"', `{"source":[${quoted},0]}`))).toMatchObject({
        reasons: ['link_source_not_found'],
      });
    }
    expect(({} as Record<string, unknown>)['class_type']).toBeUndefined();
  });

  it('cost time in step with their size, good or bad', async () => {
    const bodies = (count: number): Uint8Array[] =>
      [chain(count), chain(count, ['n1', 0]), chain(count, ['gone', 0])].map((workflow) =>
        Buffer.from(JSON.stringify({ workflow })),
      );
    const small = bodies(500);
    const large = bodies(5_000);
    for (const body of small) await cost(body);
    for (const [at, body] of large.entries()) {
      // Ten times the nodes: quadratic cost would take a hundred times as long.
      expect(await cost(body)).toBeLessThan(40 * Math.max(1, await cost(small[at]!)));
    }
  });
});
