import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputTarget, parseGraph, setInputs } from './graph-file.js';
import { plainValues, reference } from './resolve-inputs.js';

const SEED = 20261121;
const graph = (text: string): ReturnType<typeof parseGraph> => parseGraph(Buffer.from(text), 'graph.json');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('inputs set in a graph', () => {
  it('replace a value and leave every other byte alone, large numbers and escapes included', () => {
    const file = graph(
      '{ "9": {"class_type":"A",\n "inputs": {"seed": 18446744073709551615, "image": "x.png", "t":"\\u00e9\\/" } } }',
    );
    expect(text(setInputs(file, [{ nodeId: '9', input: 'image', json: '{"a":1}' }]))).toBe(
      '{ "9": {"class_type":"A",\n "inputs": {"seed": 18446744073709551615, "image": {"a":1}, "t":"\\u00e9\\/" } } }',
    );
  });

  it('are added where the node does not have them yet', () => {
    const file = graph('{"1":{"inputs":{}},"2":{"inputs":{"a":1}}}');
    const values = [
      { nodeId: '1', input: 'x', json: '1' },
      { nodeId: '1', input: 'y', json: '2' },
      { nodeId: '2', input: 'x', json: '3' },
      { nodeId: '2', input: 'a', json: '4' },
    ];
    expect(JSON.parse(text(setInputs(file, values)))).toEqual({
      '1': { inputs: { x: 1, y: 2 } },
      '2': { inputs: { x: 3, a: 4 } },
    });
  });

  it('may replace what holds objects, lists and links', () => {
    const file = graph('{"1":{"inputs":{"image":["2",0],"mask":{"deep":[{"a":"}"}]}}}}');
    const values = ['image', 'mask'].map((input) => ({ nodeId: '1', input, json: 'null' }));
    expect(text(setInputs(file, values))).toBe('{"1":{"inputs":{"image":null,"mask":null}}}');
  });

  it(`change exactly what they name in any graph (seed ${SEED})`, () => {
    const node = fc.record({
      class_type: fc.string(),
      inputs: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
    });
    const graphs = fc.dictionary(fc.string(), node, { minKeys: 1, maxKeys: 5 });
    fc.assert(
      fc.property(graphs, fc.string(), fc.jsonValue(), fc.nat(), (workflow, input, value, pick) => {
        const ids = Object.keys(workflow);
        const nodeId = ids[pick % ids.length] ?? '';
        if (nodeId === '__proto__' || input === '__proto__') return;
        const set = setInputs(graph(JSON.stringify(workflow, null, 1)), [
          { nodeId, input, json: JSON.stringify(value) },
        ]);
        const expected = JSON.parse(JSON.stringify(workflow)) as typeof workflow;
        (expected[nodeId] as (typeof workflow)[string]).inputs[input] = JSON.parse(JSON.stringify(value)) as never;
        expect(JSON.parse(text(set))).toEqual(expected);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('need a node that has an inputs object', () => {
    expect(() => setInputs(graph('{"1":{}}'), [{ nodeId: '1', input: 'x', json: '1' }])).toThrow('no "inputs"');
  });

  it.each(['null', '[]', '"text"', '7', 'true'])('leave a node alone whose inputs are %s, and name it', (inputs) => {
    const file = graph(`{"1":{"inputs":${inputs}}}`);
    expect(() => setInputs(file, [{ nodeId: '1', input: 'x', json: '1' }])).toThrow('node 1 has no "inputs" object');
  });
});

describe('the target of an input', () => {
  it('is split at the first dot, for names of inputs may have dots', () => {
    expect(inputTarget(graph('{"12:3":{}}').graph, '12:3.images.image0')).toEqual({
      nodeId: '12:3',
      input: 'images.image0',
    });
  });

  it.each(['image', '.image', '12.', '13.image', 'toString.image'])('is refused as %j', (target) => {
    expect(() => inputTarget(graph('{"12":{}}').graph, target)).toThrow();
  });
});

describe('a value that is set', () => {
  it.each([
    ['42', '42'],
    ['0.5', '0.5'],
    ['true', 'true'],
    ['"42"', '"42"'],
    ['a red door', '"a red door"'],
    ['18446744073709551615', '18446744073709551615'],
    ['', '""'],
  ])('of %j is %s in the graph', (given, json) => {
    expect(plainValues([['1.x', given]], graph('{"1":{}}').graph)[0]?.json).toBe(json);
  });
});

describe('a file that is not a graph', () => {
  it.each([
    [[0xff, 0xd8, 0xff, 0xe0], 'a JPEG picture'],
    [[0x89, 0x50, 0x4e, 0x47], 'a PNG picture'],
  ])('is named where it is not even text: %j', (head, what) => {
    const parse = (): unknown => parseGraph(Uint8Array.from([...head, 0, 16, 0x4a]), 'lake.jpg');
    expect(parse).toThrow(`lake.jpg is not a graph: The file is not text: it is ${what}.`);
  });

  it.each([
    ['', 'The file is empty'],
    ['[]', 'must be a JSON object, and it is a list'],
    ['{"1":{},"1":{}}', 'repeated in one object: "1"'],
    ['{"1":\n {]', 'not valid JSON: the mistake is at line 2, column 3'],
  ])('is refused: %j', (content, why) => {
    expect(() => graph(content)).toThrow(new RegExp(`is not a graph: .*${why}`));
  });
});

describe('a reference to an asset', () => {
  it('names the id, and hash and path where they are known', () => {
    expect(JSON.parse(reference({ id: 'a', hash: null, filePath: 'x.png' }))).toEqual({
      __type: 'core/ASSET',
      info: { id: 'a', file_path: 'x.png' },
    });
  });
});
