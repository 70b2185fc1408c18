import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json-value.js';
import { holdsNodes, jsonKind, missingWorkflow, readFailure, startsWithByteOrderMark } from './explain-form.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const LIMITS = { maxDepth: 1, maxKeys: 2, maxLists: 3, maxNumberLength: 4 };
const node = { class_type: 'LoadImage', inputs: {} };

describe('why a document was refused', () => {
  it.each([
    ['too_deep', 1],
    ['too_many_keys', 2],
    ['too_many_lists', 3],
    ['number_too_long', 4],
  ] as const)('%s: with the limit %d', (reason, limit) => {
    expect(readFailure({ ok: false, reason } as never, bytesOf('{}'), LIMITS, 'body')).toEqual({ case: reason, limit });
  });

  it.each(['body', 'file'] as const)('is the text of the %s where that is no JSON', (source) => {
    const failure = { ok: false, reason: 'invalid_json' } as never;
    const problem = (text: string) => readFailure(failure, bytesOf(text), LIMITS, source);
    expect(problem('')).toEqual({ case: 'empty_text', source });
    expect(problem(' \n\t\r')).toEqual({ case: 'empty_text', source });
    expect(problem('\ufeff{}')).toEqual({ case: 'byte_order_mark', source });
    expect(problem('{\n  x')).toEqual({ case: 'invalid_json', source, line: 2, column: 3 });
    expect(readFailure({ ok: false, reason: 'invalid_utf8' } as never, bytesOf(''), LIMITS, source)).toEqual({
      case: 'invalid_utf8',
      source,
    });
  });

  it('shows the path of a repeated key, but no name below the credentials', () => {
    const at = (...path: (string | number)[]) =>
      readFailure({ ok: false, reason: 'duplicate_key', path } as never, bytesOf('{}'), LIMITS, 'body');
    expect(at('workflow', '3', 'inputs')).toEqual({ case: 'duplicate_key', path: '"workflow" > "3" > "inputs"' });
    expect(at('extra_data', 'sk-secret')).toEqual({ case: 'duplicate_key', path: '"extra_data"' });
    expect((at('x'.repeat(500)) as { path: string }).path).toHaveLength(200);
  });
});

describe('a body without a workflow', () => {
  it.each([
    ['a body of the engine', { prompt: { '1': node } }, 'prompt_body'],
    ['a bare graph', { '1': node }, 'bare_graph'],
    ['a graph with a node that is called prompt', { prompt: node }, 'bare_graph'],
    ['neither', { metadata: {} }, 'workflow_missing'],
    ['nothing', {}, 'workflow_missing'],
    ['a prompt that is a text', { prompt: 'a cat' }, 'workflow_missing'],
  ])('is %s', (_, body, problem) => {
    expect(missingWorkflow(body, false)).toEqual({ case: problem });
    expect(missingWorkflow(body, true)).toEqual({ case: 'editor_body' });
  });

  it('looks at the first values alone', () => {
    const others = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, 1]));
    expect(holdsNodes({ ...others, last: node })).toBe(false);
    expect(holdsNodes({ first: node, ...others })).toBe(true);
    expect(holdsNodes({ a: { class_type: 7 } })).toBe(false);
    expect(holdsNodes(Object.create({ a: node }) as JsonObject)).toBe(false);
  });
});

describe('a value in words', () => {
  it.each([
    [null, 'null'],
    [[], 'a list'],
    [{}, 'an object'],
    ['', 'a string'],
    [true, 'true'],
    [false, 'false'],
    [0, 'a number'],
    [1n, 'a number'],
  ])('%s is %s', (value, kind) => {
    expect(jsonKind(value)).toBe(kind);
  });

  it('begins with a byte order mark only if all of it is there', () => {
    expect(startsWithByteOrderMark(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe(true);
    for (const bytes of [[], [0xef, 0xbb], [0xef, 0xbb, 0xbe], [0xfe, 0xff]])
      expect(startsWithByteOrderMark(Uint8Array.from(bytes))).toBe(false);
  });
});
