import { describe, expect, it } from 'vitest';
import { textWidth } from '../terminal/text-width.js';
import { ancestors, outlineGraph } from './graph-outline.js';
import { nodesDone, renderJob } from './render-job.js';
import type { JobPicture } from './render-job.js';

const graph = {
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0] } },
  '2': { class_type: 'ImageScale', inputs: { image: ['1', 0], width: 10 }, _meta: { title: 'Make small' } },
  '1': { class_type: 'LoadImage', inputs: { image: 'x.png' } },
};
const nodes = outlineGraph(graph);
const progress = {
  value: 0.5,
  nodesDone: 1,
  nodesTotal: 3,
  currentNode: '2',
  currentNodeClass: 'ImageScale',
  step: 3,
  steps: 6,
  message: null,
};

const picture = (more: Partial<JobPicture> = {}): JobPicture => ({
  state: {
    id: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
    status: 'running',
    queuePosition: null,
    times: { createdAt: null, startedAt: null, completedAt: null },
    progress,
    outputs: [],
  },
  nodes,
  done: new Set(['1']),
  elapsedMs: 1234,
  ...more,
});

describe('the outline of a graph', () => {
  it('puts sources first and takes the title that the author gave', () => {
    expect(nodes.map(({ id, title }) => `${id} ${title}`)).toEqual(['1 LoadImage', '2 Make small', '3 SaveImage']);
  });

  it('leaves out whatever is no node, and survives circles and long chains', () => {
    expect(outlineGraph([])).toEqual([]);
    expect(outlineGraph({ a: 1, b: null, c: { class_type: 'X', inputs: { x: ['c', 0], y: ['zz', 0] } } })).toHaveLength(
      1,
    );
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`n${i}`, { class_type: 'X', inputs: { x: [`n${i + 1}`, 0] } }]),
    );
    expect(outlineGraph(chain)[0]?.id).toBe('n4999');
    expect(ancestors(outlineGraph(chain), 'n0').size).toBe(5000);
  });
});

describe('the picture of a running job', () => {
  it('shows a bar for the job and one per node', () => {
    expect(renderJob(picture(), 80)).toEqual([
      'job 2f1c9d10         █████░░░░░  50 %  running, 1/3 nodes, 1.2 s',
      '  1 LoadImage        ██████████  done',
      '  2 Make small       █████░░░░░  3/6',
      '  3 SaveImage        ░░░░░░░░░░',
    ]);
  });

  it.each([40, 60, 80, 120, 200])('is never wider than %i columns', (columns) => {
    for (const line of renderJob(picture(), columns)) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('shows the part of a large graph that runs', () => {
    const large = Array.from({ length: 100 }, (_, i) => ({ id: `n${i}`, title: 'X', inputsFrom: [] }));
    const state = { ...picture().state, progress: { ...progress, currentNode: 'n50' } };
    const lines = renderJob(picture({ nodes: large, state }), 80);
    expect(lines).toHaveLength(13);
    expect(lines.join('\n')).toContain('n50');
  });

  it('shows the place in the queue', () => {
    const state = { ...picture().state, status: 'queued', queuePosition: 4, progress: null };
    expect(renderJob(picture({ state }), 100)[0]).toContain('queued, position 4');
  });

  it('says that the job waits for its engine, and repeats nothing about its node', () => {
    const waits = { ...progress, message: 'waiting for the engine: it does not answer' };
    expect(renderJob(picture({ state: { ...picture().state, progress: waits } }), 80)[1]).toBe(
      '  waiting for the engine: it does not answer',
    );
    const runs = { ...progress, message: 'ImageScale 3/6' };
    expect(renderJob(picture({ state: { ...picture().state, progress: runs } }), 80)).toHaveLength(4);
  });

  it('shows no control characters of a title', () => {
    const hostile = outlineGraph({ '1': { class_type: 'X', inputs: {}, _meta: { title: '\u001b[2Jgone' } } });
    expect(renderJob(picture({ nodes: hostile, done: new Set() }), 80)[1]).not.toContain('\u001b');
  });
});

describe('the nodes that progress proves to be done', () => {
  it('are those that feed the current one, and the one before', () => {
    expect(nodesDone(nodes, null, { ...progress, currentNode: '3' })).toEqual(['2', '1']);
    expect(nodesDone(nodes, { ...progress, currentNode: '3' }, { ...progress, currentNode: null })).toEqual(['3']);
    expect(nodesDone(nodes, progress, progress)).toEqual(['1']);
  });
});
