import { describe, expect, it } from 'vitest';
import { gate, until } from '../bus/message-bus.suite.js';
import { OffsetCommitter } from './offset-committer.js';

const nobody = (): void => undefined;

describe('commits', () => {
  it('go one at a time, and take along what was handled meanwhile', async () => {
    const commits: string[] = [];
    const first = gate();
    const committer = new OffsetCommitter(
      async (offsets) => {
        commits.push([...offsets].join(' '));
        await first.opened;
      },
      1,
      10_000,
      nobody,
    );
    committer.handled(0, 5n);
    await until('the first is under way', () => commits.length === 1);
    committer.handled(0, 6n);
    committer.handled(1, 9n);
    committer.handled(0, 7n);
    first.open();
    await until('the second was made', () => commits.length === 2);
    expect(commits).toEqual(['0,5', '0,7 1,9']);
    await committer.close();
    expect(commits).toHaveLength(2);
  });

  it('leave out a partition that is another’s now', async () => {
    const commits: string[] = [];
    const committer = new OffsetCommitter(
      async (offsets) => await Promise.resolve(void commits.push([...offsets].join(' '))),
      10_000,
      10_000,
      nobody,
    );
    committer.handled(0, 1n);
    await until('the first was made', () => commits.length === 1);
    committer.handled(0, 2n);
    committer.handled(1, 3n);
    committer.remove(0);
    await committer.close();
    expect(commits).toEqual(['0,1', '1,3']);
  });

  it('are repeated when they fail, and told when that does not end', async () => {
    let calls = 0;
    const stuck: unknown[] = [];
    const failing = new Error('not the coordinator');
    const committer = new OffsetCommitter(
      async () => {
        calls++;
        await Promise.resolve();
        throw failing;
      },
      1,
      100,
      (error) => stuck.push(error),
    );
    committer.handled(0, 1n);
    await until('it was told', () => stuck.length > 0);
    expect(stuck[0]).toBe(failing);
    expect(calls).toBeGreaterThan(1);
    committer.abandon();
  });
});
