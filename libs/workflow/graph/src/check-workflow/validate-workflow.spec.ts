import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import type { JsonObject, JsonValue } from '../json/json-value.js';
import { readWorkflow } from '../parse-submission/read-workflow.js';
import { DEFAULT_GRAPH_LIMITS } from './graph-limits.js';
import { withUnknownFiles } from './unknown-files.js';
import { validateWorkflow, type WorkflowHints, type WorkflowReport } from './validate-workflow.js';

/** A small engine: two sources, a few classes that consume their types, one output. */
const catalogue = loadCatalogue(readFileSync(new URL('../../recorded/small-engine.json', import.meta.url)));
const make = { class_type: 'Make', inputs: { width: 8, seed: 1, mode: 'a' } };
const save = (source: JsonValue): JsonObject => ({ class_type: 'Save', inputs: { images: source, prefix: 'p' } });
const making = (inputs: JsonObject): JsonObject => ({
  '1': { class_type: 'Make', inputs: { ...make.inputs, ...inputs } },
  '2': save(['1', 0]),
});

function check(workflow: JsonObject, hints: WorkflowHints = {}): WorkflowReport {
  return validateWorkflow(workflow, catalogue, hints);
}
/** `field: reason` of every problem of the nodes, unknown files included. */
function problems(workflow: JsonObject, assets: readonly string[] = []): Record<string, string[]> {
  const errors = withUnknownFiles(check(workflow), (name) => assets.includes(name));
  return Object.fromEntries(
    Object.entries(errors).map(([id, list]) => [id, list.map((p) => `${p.field}: ${p.reason}`)]),
  );
}

describe('a good workflow', () => {
  it('has no problems, and tells its outputs and how many nodes they depend on', () => {
    const report = check({ ...making({}), '3': make });
    expect(report).toMatchObject({ graphProblem: null, outputNodes: ['2'], nodesTotal: 2 });
    expect(report.nodeErrors).toEqual({});
  });

  it('may hold inputs that its classes do not declare; links there make their sources run', () => {
    const workflow = {
      ...making({ more: ['3', 0], even_more: { a: [] } }),
      '3': { class_type: 'Make', inputs: { width: 0 } },
    };
    expect(check(workflow)).toMatchObject({ nodesTotal: 3 });
    expect(problems(workflow)).toEqual({});
  });

  it('may hold constants where links are expected, as the engine lets it', () => {
    expect(problems({ '1': save(null), '2': { class_type: 'Mix', inputs: {} } })).toEqual({});
  });
});

describe('the graph as a whole', () => {
  it('needs nodes, and an output among them', () => {
    expect(check({}).graphProblem).toEqual({ case: 'no_nodes' });
    expect(check({ '1': make }).graphProblem).toEqual({ case: 'no_output' });
    expect(check({ '1': make }).nodeErrors).toEqual({});
  });

  it('is bounded in nodes, links, inputs, names and strings', () => {
    const limits = {
      ...DEFAULT_GRAPH_LIMITS,
      maxNodes: 3,
      maxLinks: 2,
      maxInputsPerNode: 5,
      maxNodeIdBytes: 4,
      maxStringBytes: 6,
    };
    expect(check({ ...making({}), '3': make, '4': make }, { limits }).graphProblem).toEqual({
      case: 'too_many_nodes',
      limit: 3,
    });
    const linked = { ...making({}), '3': { class_type: 'Mix', inputs: { first: ['1', 0], second: ['1', 0] } } };
    expect(check(linked, { limits }).graphProblem).toEqual({ case: 'too_many_links', limit: 2 });
    expect(check(making({ a: 1, b: 2, c: 3 }), { limits }).nodeErrors).toEqual({
      '1': [{ field: 'inputs', reason: 'unsupported_value' }],
    });
    expect(check({ ...making({}), größe: make }, { limits }).nodeErrors).toEqual({
      'größ… (2)': [{ field: '', reason: 'unsupported_value' }],
    });
    expect(check(making({ note: 'ÄÖÜ' }), { limits }).nodeErrors).toEqual({});
    expect(check(making({ deep: [{ a: 'ÄÖÜx' }] }), { limits }).nodeErrors).toEqual({
      '1': [{ field: 'deep', reason: 'unsupported_value' }],
    });
  });

  it('is judged without recursion: 5,000 nodes in one chain', () => {
    const chain: JsonObject = { '0': make };
    for (let i = 1; i < 4_999; i++)
      chain[String(i)] = { class_type: 'Mix', inputs: { first: [String(i - 1), 0], second: [String(i - 1), 0] } };
    chain.out = save(['4998', 0]);
    expect(check(chain)).toMatchObject({ graphProblem: null, nodesTotal: 5_000, nodeErrors: {} });
  });
});

describe('every node, wherever it stands', () => {
  it('is an object with a class that the engine knows', () => {
    const bad = {
      a: null,
      b: 5,
      c: ['class_type'],
      d: {},
      e: { class_type: 'No' },
      f: { class_type: 7 },
      g: { class_type: '__proto__' },
    };
    expect(problems({ ...making({}), ...bad })).toEqual({
      a: [': invalid_node'],
      b: [': invalid_node'],
      c: [': invalid_node'],
      d: ['class_type: missing_class_type'],
      e: ['class_type: unknown_node_class'],
      f: ['class_type: unknown_node_class'],
      g: ['class_type: unknown_node_class'],
    });
  });

  it('has an object for inputs where it has any; none at all counts only where an output depends on it', () => {
    expect(problems({ ...making({}), x: { class_type: 'Make', inputs: null }, y: { class_type: 'Make' } })).toEqual({
      x: ['inputs: invalid_node'],
    });
    expect(problems({ '1': { class_type: 'Make' }, '2': save(['1', 0]) })).toEqual({ '1': ['inputs: invalid_node'] });
  });

  it('is not looked at closer when no output depends on it', () => {
    expect(problems({ ...making({}), x: { class_type: 'Make', inputs: { width: 'no', mode: ['gone', 7] } } })).toEqual(
      {},
    );
  });
});

describe('the inputs of a node that an output depends on', () => {
  it('are complete; defaults are not filled in', () => {
    expect(
      problems({ '1': { class_type: 'Make', inputs: {} }, '2': { class_type: 'Save', inputs: { images: ['1', 0] } } }),
    ).toEqual({
      '1': ['mode: missing_input', 'seed: missing_input', 'width: missing_input'],
      '2': ['prefix: missing_input'],
    });
    expect(problems({ '1': { class_type: 'Text', inputs: {} }, '2': save(['1', 0]) })['1']).toEqual([
      'constructor: missing_input',
    ]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['a number below its range', { width: 0 }, ['width: value_below_min']],
    ['a number above its range', { width: 16385 }, ['width: value_above_max']],
    ['a text that is no number', { width: 'abc' }, ['width: invalid_value_type']],
    ['null for a number', { strength: null }, ['strength: invalid_value_type']],
    ['a value that is not listed', { mode: 'c' }, ['mode: value_not_in_list']],
    ['a number as a text where the list holds the number', { mode: '3' }, ['mode: value_not_in_list']],
    ['a link of one element', { width: ['1'] }, ['width: bad_link']],
    ['a link whose id is a number', { width: [1, 0] }, ['width: bad_link']],
    ['a link whose slot is a text', { width: ['3', '0'] }, ['width: bad_link']],
    ['a link to nowhere', { width: ['77', 0] }, ['width: link_source_not_found']],
    ['a link to a slot that is not there', { width: ['3', 2] }, ['width: link_slot_out_of_range']],
    [
      'a link to a slot counted from the end',
      { width: ['3', -1] },
      ['width: link_slot_out_of_range', 'width: type_mismatch'],
    ],
    ['a link of another type', { width: ['3', 0] }, ['width: type_mismatch']],
    ['a link out of a list of options into another list', { mode: ['4', 1] }, ['mode: type_mismatch']],
  ])('do not hold %s', (_, inputs, expected) => {
    const workflow = { ...making(inputs), '3': make, '4': { class_type: 'Text', inputs: { constructor: 'x' } } };
    expect(problems(workflow)).toEqual({ '1': expected });
  });

  it.each<[string, JsonObject]>([
    ['numbers as texts, as Python reads them', { width: ' 1_6 ', strength: '1e-1' }],
    ['fractions for whole numbers', { width: 16.9 }],
    ['true for one, and one for true', { width: true, flag: 1 }],
    ['wrapped values', { width: { __value__: '12' } }],
    ['anything for a text', { note: { a: [1, null] } }],
    ['equal numbers of a list', { mode: 3 }],
  ])('may hold %s', (_, inputs) => {
    expect(problems(making(inputs))).toEqual({});
  });

  it('compare seeds exactly up to 2^64 - 1', () => {
    const judged = (seed: string): unknown => {
      const text = JSON.stringify(making({ seed: 0 })).replace('"seed":0', `"seed":${seed}`);
      const read = readWorkflow(new TextEncoder().encode(text));
      return read.ok && validateWorkflow(read.workflow, catalogue, read).nodeErrors;
    };
    expect(judged('18446744073709551615')).toEqual({});
    expect(judged('{"__value__":18446744073709551615}')).toEqual({});
    expect(judged('18446744073709551616')).toEqual({ '1': [{ field: 'seed', reason: 'value_above_max' }] });
    expect(judged('1e300')).toEqual({ '1': [{ field: 'seed', reason: 'value_above_max' }] });
    expect(judged('1e400')).toEqual({ '1': [{ field: 'seed', reason: 'invalid_value_type' }] });
  });

  it('do not link to a slot that is written as a fraction', () => {
    const read = readWorkflow(new TextEncoder().encode(JSON.stringify(making({})).replace('["1",0]', '["1", 0.0 ]')));
    expect(read.ok && validateWorkflow(read.workflow, catalogue, read).nodeErrors).toEqual({
      '2': [{ field: 'images', reason: 'bad_link' }],
    });
  });

  it('meet unions, wildcards and several choices of one combo', () => {
    const mix = (inputs: JsonObject): JsonObject => ({
      '1': make,
      '2': { class_type: 'Mix', inputs },
      '3': save(['2', 0]),
    });
    const links = { first: ['1', 0], second: ['1', 1], any: ['1', 1] };
    expect(problems(mix(links))).toEqual({});
    expect(problems(mix({ ...links, choice: { __value__: ['x', 'y'] } }))).toEqual({});
    expect(problems(mix({ ...links, choice: { __value__: ['x', 'z'] } }))).toEqual({
      '2': ['choice: value_not_in_list'],
    });
    expect(problems(mix({ ...links, first: ['1', 1] }))).toEqual({ '2': ['first: type_mismatch'] });
  });

  it('are reported as an exception, under the input that led there, where the engine would throw', () => {
    const inputs = { first: ['1', 0], second: ['1', 0], range: 'constant' };
    expect(problems({ '1': make, '2': { class_type: 'Mix', inputs }, '3': save(['2', 0]) })).toEqual({
      '2': ['images: validation_exception', 'range: invalid_value_type'],
    });
  });
});

describe('dynamic inputs', () => {
  const grow = (inputs: JsonObject): JsonObject => ({
    '1': make,
    '2': { class_type: 'Grow', inputs },
    '3': save(['2', 0]),
  });

  it('require the first slots of a growing input, and ignore holes, an undotted name and slots past the last', () => {
    expect(problems(grow({ 'images.image0': ['1', 0] }))).toEqual({});
    expect(
      problems(grow({ 'images.image0': ['1', 0], 'images.image2': ['1', 0], 'images.image9': ['1', 1], images: 5 })),
    ).toEqual({});
    expect(problems(grow({ 'images.image1': ['1', 1] }))).toEqual({
      '2': ['images.image0: missing_input', 'images.image1: type_mismatch'],
    });
  });

  it('check the inputs of the chosen key, and nothing where no key is chosen', () => {
    const images = { 'images.image0': ['1', 0] };
    expect(problems(grow({ ...images, kind: 'size' }))).toEqual({ '2': ['kind.width: missing_input'] });
    expect(problems(grow({ ...images, kind: 'size', 'kind.width': 0 }))).toEqual({
      '2': ['kind.width: value_below_min'],
    });
    for (const kind of ['nope', null, ['gone', 0], 'none'])
      expect(problems(grow({ ...images, kind, 'kind.width': 0 }))).toEqual({});
  });
});

describe('cycles', () => {
  const mix = (a: string, b: string): JsonObject => ({ class_type: 'Mix', inputs: { first: [a, 0], second: [b, 0] } });

  it('are reported on each of their nodes, under the input that closes them, beside other problems', () => {
    const workflow = {
      '1': mix('5', '2'),
      '2': mix('3', '3'),
      '3': { class_type: 'Mix', inputs: { first: ['1', 0] } },
      '5': make,
      '6': save(['1', 0]),
    };
    expect(problems(workflow)).toEqual({
      '1': ['second: dependency_cycle'],
      '2': ['first: dependency_cycle'],
      '3': ['first: dependency_cycle', 'second: missing_input'],
    });
    expect(problems({ '1': mix('1', '5'), '5': make, '6': save(['1', 0]) })).toEqual({
      '1': ['first: dependency_cycle'],
    });
  });

  it('are not looked at when no output depends on them', () => {
    expect(problems({ ...making({}), '7': mix('8', '8'), '8': mix('7', '7') })).toEqual({});
  });
});
