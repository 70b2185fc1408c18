import { fixedSeed as seed, seeded } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { PromptQueue } from './prompt-queue.js';
import { comesBefore, type QueuedPrompt } from './queued-prompt.js';

function prompt(number: number, id: string): QueuedPrompt {
  const shown = {
    clientId: null,
    graph: {},
    graphText: '{}',
    extraData: {},
    sensitive: {},
    outputs: [],
    createTime: 0,
  };
  return { number, id, ...shown };
}

describe('the queue', () => {
  it(`gives the smallest number first, whatever was removed before (seed ${seed})`, () => {
    const next = seeded(seed);
    for (let round = 0; round < 200; round++) {
      const queue = new PromptQueue();
      let expected: QueuedPrompt[] = [];
      for (let i = 0; i < 30; i++) {
        const added = prompt(Math.floor(next() * 10) - 5, `p${i}`);
        queue.add(added);
        expected.push(added);
        if (next() > 0.3) continue;
        const gone = expected[Math.floor(next() * expected.length)]!;
        expect(queue.remove(gone.id)).toBe(true);
        expected = expected.filter((other) => other !== gone);
      }
      expect(queue.pending).toHaveLength(expected.length);
      expected.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
      expect(expected.map(() => queue.takeFirst()?.id)).toEqual(expected.map(({ id }) => id));
      expect(queue.takeFirst()).toBeNull();
    }
  });

  it('takes no more than its limit', () => {
    const queue = new PromptQueue();
    for (let i = 0; i < 10_000; i++) expect(queue.add(prompt(i, `p${i}`))).toBe(true);
    expect(queue.add(prompt(0, 'one more'))).toBe(false);
    queue.takeFirst();
    expect(queue.add(prompt(0, 'one more'))).toBe(true);
  });

  it('removes nothing that it does not hold', () => {
    expect(new PromptQueue().remove('nobody')).toBe(false);
  });
});
