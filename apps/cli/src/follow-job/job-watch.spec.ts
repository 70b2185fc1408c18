import { describe, expect, it } from 'vitest';
import { readJob } from '../api/wire.js';
import type { WireJob, WireProgress } from '../api/wire.js';
import { JobWatch } from './job-watch.js';

const output = {
  node_id: '9',
  name: 'a.png',
  type: 'image',
  content_type: 'image/png',
  size_bytes: 1,
  id: 'o1',
  hash: null,
  url: null,
};

function job(status: string, more: object = {}): WireJob {
  const read = readJob({ id: 'j', status, outputs: [], ...more });
  if (read === null) throw new Error('no job');
  return read;
}

const at = (value: number, currentNode: string | null = null): WireProgress => ({
  value,
  nodesDone: 0,
  nodesTotal: 4,
  currentNode,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
});

function watched() {
  const reported: string[] = [];
  const watch = new JobWatch('j', {
    status: (state) =>
      reported.push(state.queuePosition === null ? state.status : `${state.status} ${state.queuePosition}`),
    progress: (progress) => reported.push(`progress ${progress.value}`),
    output: (seen) => reported.push(`output ${seen.name}`),
  });
  return { watch, reported };
}

describe('a job that is watched', () => {
  it('is reported once, though polls and frames say the same', () => {
    const { watch, reported } = watched();
    watch.snapshot(job('queued', { queue_position: 3 }));
    watch.seeStatus('queued', 3);
    watch.seeStatus('queued', 2);
    watch.snapshot(job('running', { outputs: [output] }));
    watch.snapshot(job('running', { outputs: [output] }));
    expect(reported).toEqual(['queued 3', 'queued 2', 'output a.png', 'running']);
  });

  it('never goes backwards, though a poll was overtaken by a frame', () => {
    const { watch, reported } = watched();
    watch.seeProgress(at(0.5));
    watch.seeProgress(at(0.25));
    watch.seeProgress(at(0.5));
    watch.snapshot(job('succeeded'));
    watch.seeStatus('running', null);
    expect(reported).toEqual(['progress 0.5', 'succeeded']);
  });

  it('reports its outputs before its end', () => {
    const { watch, reported } = watched();
    watch.snapshot(job('succeeded', { outputs: [output] }));
    expect(reported).toEqual(['output a.png', 'succeeded']);
  });
});
