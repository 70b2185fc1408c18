import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import type { JsonObject, JsonValue } from '../json/json-value.js';
import { replaceSpans } from '../json/replace-spans.js';
import { locateInputs } from './locate-inputs.js';
import { withUnknownFiles } from './unknown-files.js';
import { validateWorkflow, type WorkflowReport } from './validate-workflow.js';

/** A small engine: two sources, a few classes that consume their types, one output. */
const catalogue = loadCatalogue(readFileSync(new URL('../../recorded/small-engine.json', import.meta.url)));
const make = { class_type: 'Make', inputs: { width: 8, seed: 1, mode: 'a' } };
const save = (source: JsonValue): JsonObject => ({ class_type: 'Save', inputs: { images: source, prefix: 'p' } });
const making = (inputs: JsonObject): JsonObject => ({
  '1': { class_type: 'Make', inputs: { ...make.inputs, ...inputs } },
  '2': save(['1', 0]),
});

function check(workflow: JsonObject): WorkflowReport {
  return validateWorkflow(workflow, catalogue);
}
/** `field: reason` of every problem of the nodes, unknown files included. */
function problems(workflow: JsonObject, assets: readonly string[] = []): Record<string, string[]> {
  const errors = withUnknownFiles(check(workflow), (name) => assets.includes(name));
  return Object.fromEntries(
    Object.entries(errors).map(([id, list]) => [id, list.map((p) => `${p.field}: ${p.reason}`)]),
  );
}

describe('file names', () => {
  const loading = (image: JsonValue): JsonObject => ({
    '1': { class_type: 'LoadImage', inputs: { image } },
    '2': save(['1', 0]),
  });

  it('are known to the engine or the path of an asset; an annotation of the input folder is no part of them', () => {
    expect(problems(loading('photo.png'))).toEqual({});
    expect(problems(loading('photo.png [input]'))).toEqual({});
    expect(problems(loading('mine/own.png'), ['mine/own.png'])).toEqual({});
    expect(problems(loading('mine/own.png'))).toEqual({
      '1': ['image: custom_validation_failed', 'image: value_not_in_list'],
    });
    expect(check(loading('mine/own.png [input]')).namedFiles).toMatchObject([
      { nodeId: '1', input: 'image', name: 'mine/own.png', listed: false, path: ['1', 'inputs', 'image'] },
    ]);
  });

  it('stay inside the input folder', () => {
    const assets = { includes: () => true } as unknown as readonly string[];
    const unsafe = [
      '',
      '../photo.png',
      'sub/../photo.png',
      '/etc/hostname',
      'a\\b.png',
      'c:x',
      'x [output]',
      'x.png [temp]',
      'a//b',
      'a\0b',
      '.',
    ];
    for (const name of unsafe) {
      expect(problems(loading(name), assets)).toEqual({
        '1': ['image: custom_validation_failed', 'image: value_not_in_list'],
      });
    }
  });

  it('are texts: the engine throws on anything else', () => {
    for (const image of [5, null, { a: 1 }]) {
      expect(problems(loading(image))).toEqual({ '1': ['image: invalid_value_type', 'images: validation_exception'] });
    }
  });

  it('of a class without a check of its own are compared with its list', () => {
    const model = (file: string): JsonObject => ({
      '1': { class_type: 'Model', inputs: { model_file: file } },
      '2': save(['1', 0]),
    });
    expect(problems(model('none'))).toEqual({ '2': ['images: type_mismatch'] });
    expect(problems(model('x.glb'))['1']).toEqual(['model_file: value_not_in_list']);
    expect(problems(model('x.glb'), ['x.glb'])['1']).toBeUndefined();
  });
});

describe('asset references', () => {
  const asset = (info: JsonValue = { id: 'one' }): JsonObject => ({ __type: 'core/ASSET', info });

  it('stand for file names and texts, not for other values', () => {
    expect(problems({ '1': { class_type: 'LoadImage', inputs: { image: asset() } }, '2': save(['1', 0]) })).toEqual({});
    expect(problems(making({ note: asset() }))).toEqual({});
    expect(problems(making({ width: asset(), mode: { __value__: asset() } }))).toEqual({
      '1': ['mode: invalid_value_type', 'width: invalid_value_type'],
    });
  });

  it('are found wherever they are nested, in undeclared inputs and unused nodes too', () => {
    const nested = { list: [[{ deep: asset({ id: 'two', hash: 'x' }) }]], other: 1 };
    const report = check({ ...making({ undeclared: nested }), '3': { class_type: 'Make', inputs: { x: asset({}) } } });
    expect(report.assetReferences).toEqual([
      { nodeId: '1', input: 'undeclared', path: ['1', 'inputs', 'undeclared', 'list', 0, 0, 'deep'], assetId: 'two' },
      { nodeId: '3', input: 'x', path: ['3', 'inputs', 'x'], assetId: null },
    ]);
  });

  it('without an id that could exist name none', () => {
    const impossible: JsonValue[] = [null, 'one', {}, { id: 5 }, { id: '' }, { id: 'x'.repeat(200) }];
    for (const info of impossible) {
      expect(check(making({ note: asset(info) })).assetReferences[0]!.assetId).toBeNull();
    }
  });

  it('are at most 256', () => {
    const many = (count: number): JsonValue => Array.from({ length: count }, () => asset());
    expect(check(making({ x: many(256) }))).toMatchObject({ graphProblem: null });
    expect(check(making({ x: many(257) })).graphProblem).toEqual({ case: 'too_many_assets', limit: 256 });
  });
});

describe('the inputs of an accepted workflow', () => {
  it('are located in its bytes, so that other names can take their place', () => {
    const text =
      '{"1":{"class_type":"LoadImage","inputs":{"image" : "a.png [input]"}}, "2":{"class_type":"LoadImage","inputs":' +
      '{"image":{"__type":"core\\/ASSET","info":{"id":"one"}}}},"3":{"class_type":"Save","inputs":{"images":["1",0],"prefix":""}},' +
      '"4":{"class_type":"Save","inputs":{"images":["2",0],"prefix":"18446744073709551616"}}}';
    const bytes = new TextEncoder().encode(text);
    const located = locateInputs(bytes, catalogue);
    expect(located.map(({ assetId, name }) => ({ assetId, name }))).toEqual([
      { assetId: 'one', name: null },
      { assetId: null, name: 'a.png' },
    ]);
    const replaced = replaceSpans(
      bytes,
      located.map(({ span }, at) => ({ ...span, text: `"v2/${at}.png"` })),
    );
    const expected = text.replace('"a.png [input]"', '"v2/1.png"').replace(/\{"__type".*?\}\}/, '"v2/0.png"');
    expect(new TextDecoder().decode(replaced)).toBe(expected);
  });
});
