import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { withUnknownFiles } from '../check-workflow/unknown-files.js';
import { validateWorkflow } from '../check-workflow/validate-workflow.js';
import { parseSubmission, type SubmittedWorkflow } from './parse-submission.js';
import type { SubmissionRejection } from './submission-rejection.js';
import { DEFAULT_SUBMISSION_LIMITS } from './submission-limits.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parseBytes = (bytes: Uint8Array): SubmittedWorkflow | SubmissionRejection => {
  const parsed = parseSubmission(bytes);
  return parsed.ok ? parsed.workflow : parsed;
};
const parse = (body: unknown): SubmittedWorkflow | SubmissionRejection =>
  parseBytes(bytesOf(typeof body === 'string' ? body : JSON.stringify(body)));
const verdict = (body: unknown): string => {
  const parsed = parse(body);
  return parsed.ok ? 'accepted' : parsed.kind;
};
const workflow = { '1': { class_type: 'A', inputs: {} } };

describe('the body of POST /jobs', () => {
  it('gives the workflow verbatim: key order, 64-bit integers, escapes, white space', () => {
    const raw = '{ "10":{"x":18446744073709551615, "y":1.0},\n "9":{"\\u0061":"\\u0000\\ud800é"},"__proto__":{} }';
    const text = `{"foo":[{"workflow":1}], "workf\\u006cow" :\t${raw} ,"extra_data":{}}`;
    const parsed = parse(text);
    if (!parsed.ok) throw new Error(parsed.kind);
    const { start, end } = parsed.span;
    expect(new TextDecoder().decode(bytesOf(text).subarray(start, end))).toBe(raw);
  });

  it.each<[string, unknown]>([
    ['no JSON', 'no json'],
    ['nothing', ''],
    ['a list', []],
    ['a text', '"x"'],
    ['null', null],
    ['no workflow', {}],
    ['a workflow that is null', { workflow: null }],
    ['a workflow that is a list', { workflow: [] }],
    ['a workflow that is a text', { workflow: 'x' }],
  ])('is refused for its form when it holds %s', (_, body) => {
    expect(verdict(body)).toBe('form');
  });

  it('is refused when its workflow has the format of the editor (rule 2)', () => {
    expect(verdict({ workflow: { nodes: [], links: [], version: 0.4 } })).toBe('editor_format');
    expect(verdict({ workflow: { nodes: { class_type: 'A' } } })).toBe('accepted');
    expect(verdict({ workflow: { nodes: { class_type: 'A' }, links: { class_type: 'A' } } })).toBe('accepted');
  });

  it('gives its other fields as they came, also when the workflow is refused', () => {
    const extra_data = { api_key_partner_org: 5 };
    for (const broken of [workflow, null]) {
      const body = { inputs: null, workflow: broken, extra_data, client_id: 'x', number: 1 };
      expect(parseSubmission(bytesOf(JSON.stringify(body)))).toMatchObject({ ok: true, fields: body });
    }
  });

  it('names no key below extra_data, where a client may have put a secret', () => {
    const body = '{"workflow":{},"extra_data":{"api_key_x":{"secret":1,"secret":2}}}';
    expect(parse(body)).toMatchObject({ problem: { case: 'duplicate_key', path: '"extra_data"' } });
  });

  it('names the path of a repeated key, and no value', () => {
    const parsed = parse('{"workflow":{"1":{"class_type":"A","inputs":{"width":"secret","width":2}}}}');
    expect(parsed).toMatchObject({
      kind: 'form',
      problem: { case: 'duplicate_key', path: '"workflow" > "1" > "inputs" > "width"' },
    });
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });

  it.each<[string, unknown, object]>([
    ['nothing', ' \n', { case: 'empty_text', source: 'body' }],
    ['a byte order mark', '\ufeff{"workflow":{}}', { case: 'byte_order_mark', source: 'body' }],
    ['broken JSON', '{"workflow":\n {"1": }}', { case: 'invalid_json', source: 'body', line: 2, column: 8 }],
    ['a list', [], { case: 'not_an_object', source: 'body', found: 'a list' }],
    ['a bare graph', workflow, { case: 'bare_graph' }],
    ['a graph in "prompt"', { prompt: workflow, client_id: 'x' }, { case: 'prompt_body' }],
    ['a node that is named prompt', { prompt: workflow['1'] }, { case: 'bare_graph' }],
    ['a canvas of the editor', { nodes: [], links: [] }, { case: 'editor_body' }],
    ['anything else', { graph: 1 }, { case: 'workflow_missing' }],
  ])('is named for what it is when it holds %s', (_, body, problem) => {
    expect(parse(body)).toEqual({ ok: false, kind: 'form', problem });
  });

  it('is bounded in depth, keys and numbers', () => {
    const nested = (depth: number): string => `{"workflow":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}}`;
    expect(verdict(nested(64))).toBe('accepted');
    expect(verdict(nested(65))).toBe('form');
    expect(verdict(nested(100_000))).toBe('form');
    expect(verdict(`{"workflow":{"a":${'1'.repeat(65)}}}`)).toBe('form');
    const limits = { ...DEFAULT_SUBMISSION_LIMITS, maxKeys: 2 };
    expect(parseSubmission(bytesOf('{"workflow":{"a":1,"b":2}}'), limits)).toMatchObject({ ok: false });
  });
});

describe(`any body whatever (seed ${seed})`, () => {
  const catalogue = loadCatalogue(readFileSync(new URL('../../recorded/small-engine.json', import.meta.url)));
  const good = JSON.stringify({
    workflow: {
      '1': {
        class_type: 'Make',
        inputs: { width: 8, seed: 18446744073709, mode: 'a', note: { __type: 'core/ASSET' } },
      },
      '2': { class_type: 'Grow', inputs: { 'images.image0': ['1', 0], kind: 'size', 'kind.width': 4.5 } },
      '3': { class_type: 'Save', inputs: { images: ['2', 0], prefix: 'p' } },
    },
    extra_data: { api_key_partner_org: 'k' },
    metadata: { a: 'b' },
  });
  const judge = (bytes: Uint8Array): void => {
    const parsed = parseBytes(bytes);
    if (!parsed.ok) return;
    const report = validateWorkflow(parsed.graph, catalogue, parsed);
    expect(typeof JSON.stringify(withUnknownFiles(report, () => false))).toBe('string');
  };

  it('is judged without an exception when a few bytes of a good one are changed', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:0159eE.-+\\nulltr \u0000')), { maxLength: 4 });
    fc.assert(
      fc.property(edits, (changes) => {
        const bytes = bytesOf(good);
        for (const [at, char] of changes) bytes[at % bytes.length] = char.charCodeAt(0);
        judge(bytes);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('is judged without an exception when any values stand where inputs are', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(['1', 0], ['3', 0], { __value__: ['1', 0] }, 1e400, -0),
    );
    const inputs = fc.dictionary(
      fc.constantFrom(
        'width',
        'seed',
        'mode',
        'first',
        'images',
        'kind',
        'kind.width',
        'image',
        '__proto__',
        'toString',
      ),
      value,
    );
    const node = fc.record({
      class_type: fc.constantFrom('Make', 'Mix', 'Grow', 'LoadImage', 'Save', 'Text', 'toString'),
      inputs,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('1', '2', '3', '__proto__', 'constructor'), node), (graph) => {
        judge(bytesOf(JSON.stringify({ workflow: graph })));
      }),
      { seed, numRuns: 1_000 },
    );
    expect(({} as Record<string, unknown>).class_type).toBeUndefined();
  });
});
