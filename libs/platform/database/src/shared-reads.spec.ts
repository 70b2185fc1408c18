import { describe, expect, it } from 'vitest';
import { SharedReads } from './shared-reads.js';

/** A statement under way, which the test answers. */
interface Sent {
  readonly keys: readonly string[];
  answer(rows: Readonly<Record<string, number>>): void;
  fail(error: Error): void;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  function opened(version?: () => number) {
    const sent: Sent[] = [];
    const reads = new SharedReads<number>((keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>();
      sent.push({ keys, answer: (rows) => resolve(new Map(Object.entries(rows))), fail: reject });
      return promise;
    }, version);
    return { reads, sent };
  }

  it('send a lone call at once, and share a statement between calls that come while two are under way', async () => {
    const { reads, sent } = opened();
    const [a, b, c, d, again] = ['a', 'b', 'c', 'd', 'c'].map((key) => reads.find(key));
    expect(sent.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    sent[0]!.answer({ a: 1 });
    await settled();
    expect(sent.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
    sent[2]!.answer({ d: 4 });
    sent[1]!.answer({ b: 2 });
    expect(await Promise.all([a, b, c, d, again])).toEqual([1, 2, undefined, 4, undefined]);
  });

  it('give no call an answer that was read before it', async () => {
    const { reads, sent } = opened();
    const before = reads.find('a');
    const after = reads.find('a');
    sent[0]!.answer({ a: 1 });
    sent[1]!.answer({ a: 2 });
    expect(await Promise.all([before, after])).toEqual([1, 2]);
  });

  it('given a version, share a statement under way until the version changes', async () => {
    let version = 1;
    const { reads, sent } = opened(() => version);
    const calls = [reads.find('a'), reads.find('a')];
    version = 2;
    calls.push(reads.find('a'), reads.find('a'));
    expect(sent).toHaveLength(2);
    sent[1]!.answer({ a: 2 });
    sent[0]!.answer({ a: 1 });
    expect(await Promise.all(calls)).toEqual([1, 1, 2, 2]);
  });

  it('fail the calls of a statement that failed, and no others', async () => {
    const { reads, sent } = opened();
    const calls = ['a', 'b', 'c', 'd'].map((key) => reads.find(key));
    const ends = Promise.allSettled(calls);
    sent[0]!.answer({ a: 1 });
    await settled();
    sent[2]!.fail(new Error('away'));
    sent[1]!.answer({ b: 2 });
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    const next = reads.find('e');
    sent[3]!.answer({ e: 5 });
    expect(await next).toBe(5);
  });

  it('send at most 500 keys in a statement, in the order of the calls', async () => {
    const { reads, sent } = opened();
    const calls = Array.from({ length: 1_200 }, (_, n) => reads.find(String(n)));
    for (let at = 0; at < sent.length; at++) {
      sent[at]!.answer(Object.fromEntries(sent[at]!.keys.map((key) => [key, Number(key)])));
      await settled();
    }
    expect(sent.map(({ keys }) => keys.length)).toEqual([1, 1, 500, 500, 198]);
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 1_200 }, (_, n) => n));
  });
});
