import { describe, expect, it } from 'vitest';
import type { EngineOutcome } from '@heddle/engine-port';
import { AttemptControl } from './attempt-control.js';
import { whenStored } from './when-stored.js';

const SUCCEEDED: EngineOutcome = { kind: 'succeeded' };
const never = { settled: () => new Promise<void>(() => undefined) };

describe('the end of a run whose outputs are still being stored', () => {
  it('waits for them', async () => {
    let stored = false;
    const settled = async (): Promise<void> => {
      await new Promise((done) => setImmediate(done));
      stored = true;
    };
    expect(await whenStored(SUCCEEDED, { settled }, new AttemptControl())).toBe(SUCCEEDED);
    expect(stored).toBe(true);
  });

  it('loses the attempt where one cannot be stored', async () => {
    const settled = (): Promise<void> => Promise.reject(new Error('the disk is full'));
    const ended = await whenStored(SUCCEEDED, { settled }, new AttemptControl());
    expect(ended).toEqual({ kind: 'lost', reason: 'the disk is full' });
  });

  it.each(['timeout', 'cancel', 'lost', 'drain'] as const)(
    'is an interruption where %s comes meanwhile',
    async (stop) => {
      const control = new AttemptControl();
      const ended = whenStored(SUCCEEDED, never, control);
      control.stop(stop);
      expect(await ended).toEqual({ kind: 'interrupted' });
    },
  );

  it.each(['cancel', 'lost'] as const)('does not wait where %s came before', async (stop) => {
    const control = new AttemptControl();
    control.stop(stop);
    expect(await whenStored({ kind: 'interrupted' }, never, control)).toEqual({ kind: 'interrupted' });
  });
});
