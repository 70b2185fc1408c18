import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { describeGraph } from './describe-graph.js';

const catalogue = loadCatalogue(readFileSync(new URL('../../recorded/small-engine.json', import.meta.url)));

describe('the description of a graph', () => {
  it('lists the nodes that an output depends on, each after what it depends on, and the class of every node', () => {
    const workflow = {
      out: { class_type: 'Save', inputs: { images: ['mix', 0] } },
      mix: {
        class_type: 'Mix',
        inputs: { first: ['a', 0], second: ['b', 1], undeclared: ['c', 0], choice: ['x', 'y', 'z'] },
      },
      a: { class_type: 'Make', inputs: {} },
      b: { class_type: 'Make', inputs: {} },
      c: { class_type: 'Make', inputs: {} },
      unused: { class_type: 'Make', inputs: {} },
      strange: null,
    };
    const { outputNodes, order, classes } = describeGraph(workflow, catalogue);
    expect(outputNodes).toEqual(['out']);
    expect(order).toEqual(['a', 'b', 'c', 'mix', 'out']);
    expect([...classes]).toEqual([
      ['out', 'Save'],
      ['mix', 'Mix'],
      ['a', 'Make'],
      ['b', 'Make'],
      ['c', 'Make'],
      ['unused', 'Make'],
    ]);
  });
});
