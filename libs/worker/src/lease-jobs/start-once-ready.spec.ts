import { newUuid } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import type { Engine } from '@heddle/engine-port';
import { beforeEach, describe, expect, it } from 'vitest';
import { startOnceReady } from './start-once-ready.js';

describe('workers that wait for their engine', () => {
  const pool = { deploymentId: newUuid() as DeploymentId };
  let lines: unknown[];
  let leaving: AbortController;
  beforeEach(() => {
    lines = [];
    leaving = new AbortController();
  });
  const service = { logger: { error: (facts: unknown): void => void lines.push(facts) } };
  const started = (engine: Pick<Engine, 'whenReady'>): Promise<string | null> =>
    startOnceReady(service, pool, engine as Engine, leaving.signal, () => 'started');

  it('start once it answers, and at once if it cannot be away', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isStarted = false;
    const waiting = started({ whenReady: () => promise }).finally(() => (isStarted = true));
    await started({});
    expect(isStarted).toBe(false);
    resolve();
    expect(await waiting).toBe('started');
    expect(await started({})).toBe('started');
  });

  it('do not start if the process leaves first', async () => {
    leaving.abort();
    expect(await started({ whenReady: () => Promise.resolve() })).toBeNull();
    expect(lines).toEqual([]);
  });

  it('do not start if it cannot be waited for, and the log says so', async () => {
    const err = new Error('no engine');
    expect(await started({ whenReady: () => Promise.reject(err) })).toBeNull();
    expect(lines).toEqual([{ err, ...pool }]);
  });
});
