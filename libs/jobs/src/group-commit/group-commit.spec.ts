import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.js';
import { KeyMutex } from './key-mutex.js';

describe('a group commit', () => {
  it('sends what one turn of the loop brings together, and what comes meanwhile with the next', async () => {
    const batches: number[][] = [];
    let release: () => void = () => undefined;
    const group = new GroupCommit<number, number>(
      async (items) => {
        batches.push([...items]);
        if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return items.map((item) => item * 10);
      },
      { batchSize: 3, inFlight: 1 },
    );
    const first = [group.add(1), group.add(2)];
    await new Promise((resolve) => setImmediate(resolve));
    const later = [3, 4, 5, 6].map(async (item) => await group.add(item));
    await new Promise((resolve) => setImmediate(resolve));
    expect([batches, group.backlog]).toEqual([[[1, 2]], 4]);
    release();
    expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50, 60]);
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  it('goes on after a batch that failed', async () => {
    let calls = 0;
    const group = new GroupCommit<number, number>(
      async (items) => {
        calls += 1;
        if (calls === 1) throw new Error('lost');
        return await Promise.resolve([...items]);
      },
      { batchSize: 3, inFlight: 1 },
    );
    await expect(group.add(1)).rejects.toThrow('lost');
    expect(await group.add(2)).toBe(2);
  });
});

describe('a mutex by key', () => {
  it('runs one at a time per key, in order of arrival, and others beside it', async () => {
    const mutex = new KeyMutex();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    await Promise.all([mutex.run('a', work('a1')), mutex.run('a', work('a2')), mutex.run('b', work('b1'))]);
    expect(steps.filter((step) => step.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
    expect(steps.indexOf('b1 begins')).toBeLessThan(steps.indexOf('a1 ends'));
  });

  it('goes on after one that failed', async () => {
    const mutex = new KeyMutex();
    const failing = mutex.run('a', async () => await Promise.reject(new Error('no')));
    const next = mutex.run('a', async () => await Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
