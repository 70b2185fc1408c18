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

  it('loses the attempt if one cannot be stored', async () => {
    const settled = (): Promise<void> => Promise.reject(new Error('the disk is full'));
    const ended = await whenStored(SUCCEEDED, { settled }, new AttemptControl());
    expect(ended).toEqual({ kind: 'lost', reason: 'the disk is full' });
  });

  it.each(['timeout', 'cancel', 'lost', 'drain'] as const)(
    'is an interruption where %s comes meanwhile',
    async (stop) => {
      const control = new AttemptControl();
      const ended = whenStored(SUCCEEDED, never, control, 10);
      control.stop(stop);
      expect(await ended).toEqual({ kind: 'interrupted' });
    },
  );

  it.each(['timeout', 'cancel', 'drain'] as const)(
    'lets what is under way come to its end where %s comes',
    async (stop) => {
      const control = new AttemptControl();
      let store: () => void = () => undefined;
      const under = new Promise<void>((done) => (store = done));
      let over = false;
      const ended = whenStored(SUCCEEDED, { settled: () => under }, control, 60_000).finally(() => (over = true));
      control.stop(stop);
      await new Promise((done) => setImmediate(done));
      expect(over).toBe(false);
      store();
      expect(await ended).toEqual({ kind: 'interrupted' });
    },
  );

  it('waits for it after a cancel, for a limited time', async () => {
    const control = new AttemptControl();
    control.stop('cancel');
    const began = performance.now();
    expect(await whenStored({ kind: 'interrupted' }, never, control, 30)).toEqual({ kind: 'interrupted' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(25);
  });

  it('does not wait if the lease is lost', async () => {
    const control = new AttemptControl();
    control.stop('lost');
    expect(await whenStored({ kind: 'interrupted' }, never, control)).toEqual({ kind: 'interrupted' });
  });
});
