import { describe, expect, it } from 'vitest';
import { readReplicas } from './replicas.js';

describe('the replicas of a cluster', () => {
  it('are one of each service that is not named', () => {
    expect(readReplicas('jobs=2, gateway=3')).toEqual({
      validation: 1,
      assets: 1,
      logs: 1,
      jobs: 2,
      registry: 1,
      gateway: 3,
      worker: 1,
    });
  });

  it('may leave workers out, for somebody who brings their own', () => {
    expect(readReplicas('worker=0').worker).toBe(0);
  });

  it.each([
    ['jobs=0', '--replicas: jobs needs a whole number from 1 to 32, not "0"'],
    ['worker=33', '--replicas: worker needs a whole number from 0 to 32, not "33"'],
    ['worker=', '--replicas: worker needs a whole number from 0 to 32, not ""'],
    [
      'wroker=2',
      '--replicas: unknown service "wroker"; the services are validation, assets, logs, jobs, registry, gateway, worker',
    ],
  ])('refuse %s', (text, says) => {
    expect(() => readReplicas(text)).toThrow(says);
  });
});
