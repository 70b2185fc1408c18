import { describe, expect, it } from 'vitest';
import { objectInfoText, readClassInfos } from '../catalogue/class-info.js';
import { cacheKeys } from './cache-keys.js';
import { ExecutionOrder } from './execution-order.js';
import { GraphError, readGraph, type Graph } from './read-graph.js';
import { readJson } from './read-json.js';

const classes = readClassInfos(objectInfoText(false));
const noFiles = (): null => null;

describe('the order of nodes', () => {
  it('runs a ready output node before anything else', () => {
    const graph = graphOf({
      a: empty(1),
      saveA: save('a'),
      b: empty(2),
      c: { class_type: 'ImageInvert', inputs: { image: ['b', 0] } },
      saveC: save('c'),
    });
    expect(orderOf(graph)).toEqual(['a', 'saveA', 'b', 'c', 'saveC']);
  });

  it('runs what feeds an output before what feeds something else', () => {
    const graph = graphOf({
      far: empty(1),
      one: { class_type: 'ImageInvert', inputs: { image: ['far', 0] } },
      two: { class_type: 'ImageInvert', inputs: { image: ['one', 0] } },
      three: { class_type: 'ImageInvert', inputs: { image: ['two', 0] } },
      saveFar: save('three'),
      near: empty(2),
      saveNear: save('near'),
    });
    expect(orderOf(graph).slice(0, 2)).toEqual(['near', 'saveNear']);
  });

  it('takes nodes that no output depends on for absent', () => {
    const graph = graphOf({
      a: empty(1),
      saveA: save('a'),
      idle: { class_type: 'EmptyImage', inputs: { width: 'no' } },
    });
    expect(orderOf(graph)).toEqual(['a', 'saveA']);
  });

  it('leaves lazy inputs alone until they are asked for', () => {
    const graph = graphOf({
      yes: empty(1),
      no: empty(2),
      pick: { class_type: 'ComfySwitchNode', inputs: { switch: true, on_false: ['no', 0], on_true: ['yes', 0] } },
      out: save('pick'),
    });
    const order = new ExecutionOrder(graph, () => false);
    expect([...order.planned()].sort()).toEqual(['out', 'pick']);
    order.needLazily('pick', ['on_true']);
    expect(order.next()).toBe('yes');
    order.finish('yes');
    expect(order.next()).toBe('pick');
  });

  it('handles a chain of 5,000 nodes without recursion', () => {
    const nodes: Record<string, unknown> = { n0: empty(1) };
    for (let i = 1; i < 5000; i += 1)
      nodes[`n${i}`] = { class_type: 'ImageInvert', inputs: { image: [`n${i - 1}`, 0] } };
    const graph = graphOf({ ...nodes, out: save('n4999') });
    expect(cacheKeys(graph, '', noFiles).size).toBe(5001);
    expect(orderOf(graph)).toHaveLength(5001);
  });

  it('finds a cycle', () => {
    const graph = graphOf({
      a: { class_type: 'ImageInvert', inputs: { image: ['b', 0] } },
      b: { class_type: 'ImageInvert', inputs: { image: ['a', 0] } },
      out: save('b'),
    });
    expect(() => cacheKeys(graph, '', noFiles)).toThrow(GraphError);
    expect(new ExecutionOrder(graph, () => false).next()).toBeNull();
  });
});

describe('the cache key of a node', () => {
  it('is that of an equal node of another graph, whatever the ids', () => {
    const one = cacheKeys(graphOf({ a: empty(1), b: save('a') }), '', noFiles);
    const two = cacheKeys(graphOf({ x: save('y'), y: empty(1) }), '', noFiles);
    expect(one.get('b')).toBe(two.get('x'));
  });

  it('is of one account', () => {
    const [one, two] = ['account-1', 'account-2'].map((account) =>
      cacheKeys(graphOf({ a: empty(1), b: save('a') }), account, noFiles),
    );
    for (const id of ['a', 'b']) expect(one!.get(id)).not.toBe(two!.get(id));
  });

  it('changes with a constant of an ancestor, with the kind of a number and with a file', () => {
    const key = (colour: string, content: string): string | undefined =>
      cacheKeys(graphOf({ a: empty(colour), b: save('a') }), '', () => content).get('b');
    const keys = [key('1', 'x'), key('2', 'x'), key('1', 'y')];
    expect(new Set(keys).size).toBe(3);
  });
});

describe('a graph', () => {
  it.each([
    ['no object', '[]'],
    ['without outputs', '{"1":{"class_type":"EmptyImage","inputs":{}}}'],
    ['linked to nowhere', '{"1":{"class_type":"SaveImage","inputs":{"images":["2",0]}}}'],
    [
      'with an unknown class',
      '{"1":{"class_type":"SaveImage","inputs":{"images":["2",0]}},"2":{"class_type":"__proto__"}}',
    ],
  ])('that is %s is refused', (_, text) => {
    expect(() => readGraph(readJson(text), classes)).toThrow(GraphError);
  });

  it('carries coerced constants in the text that files are saved with', () => {
    const graph = graphOf({ a: { class_type: 'EmptyImage', inputs: { width: '16', other: '1' } }, b: save('a') });
    expect(graph.document.get('a')).toEqual(
      new Map<string, unknown>([
        ['class_type', 'EmptyImage'],
        [
          'inputs',
          new Map<string, unknown>([
            ['width', 16n],
            ['other', '1'],
          ]),
        ],
      ]),
    );
  });
});

function empty(color: unknown): unknown {
  return { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color } };
}

function save(node: string): unknown {
  return { class_type: 'SaveImage', inputs: { images: [node, 0], filename_prefix: 'x' } };
}

function graphOf(nodes: Readonly<Record<string, unknown>>): Graph {
  return readGraph(readJson(JSON.stringify(nodes)), classes);
}

function orderOf(graph: Graph): readonly string[] {
  const order = new ExecutionOrder(graph, () => false);
  const ids: string[] = [];
  for (let id = order.next(); id !== null; id = order.next()) {
    ids.push(id);
    order.finish(id);
  }
  return ids;
}
