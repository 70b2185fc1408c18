import { describe, expect, it } from 'vitest';
import { problemsOf, TopicsUnsuitableError, withDeadLetters } from './desired-topics.js';

const desired = { name: 'jobs', partitions: 6, replicas: 3, retentionMs: 1_000 };

describe('the topics that have to be there', () => {
  it('have a dead-letter topic each, of the same replicas and kept for longer', () => {
    expect(withDeadLetters([desired])).toEqual([
      desired,
      { name: 'jobs.dlq', partitions: 1, replicas: 3, retentionMs: 4_000 },
    ]);
  });

  it('do not suit when one has other partitions or too few replicas; more replicas do, and a missing one is no such problem', () => {
    const found = new Map([['jobs', { partitions: 4, replicas: 1 }]]);
    expect(problemsOf(withDeadLetters([desired]), found)).toEqual([
      'jobs has 4 partitions instead of 6',
      'jobs has 1 replicas, fewer than the required 3',
    ]);
    expect(problemsOf([desired], new Map([['jobs', { partitions: 12, replicas: 3 }]]))).toEqual([
      'jobs has 12 partitions instead of 6',
    ]);
    expect(problemsOf([desired], new Map([['jobs', { partitions: 6, replicas: 5 }]]))).toEqual([]);
    expect(new TopicsUnsuitableError(['a', 'b']).message).toBe('Kafka topics do not match the settings: a; b.');
  });
});
