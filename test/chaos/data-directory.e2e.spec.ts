import { NotStarted, serverOf, startStandalone } from '@heddle/testing-standalone';
import { eventually, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';

describe('a data directory that a Heddle uses', { timeout: TEST_TIMEOUT_MS }, () => {
  let heddle: HeddleUnderFire;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start();
  });
  afterAll(async () => {
    await heddle?.stop();
  });
  const serverPid = (): number | undefined => serverOf(heddle.dataDir)?.running()?.pid;

  it('is refused to a second one, which says by whom it is used; the first one is not disturbed', async () => {
    const before = await heddle.client.submitted(textGraph());
    const second = await startStandalone({ dataDir: heddle.dataDir }).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(NotStarted);
    const { ending, stderr } = second as NotStarted;
    expect(ending).toEqual({ code: 2, signal: null });
    expect(stderr).toContain(
      `Another Heddle (pid ${heddle.process.pid}) is using the data directory ${heddle.dataDir}`,
    );
    expect(stderr, 'no stack, no noise').not.toMatch(/\n\s+at /);
    await heddle.client.reached(before.id, 'succeeded');
    await heddle.client.reached((await heddle.client.submitted(textGraph())).id, 'succeeded');
    expect(await heddle.readiness()).toBe(200);
  });

  it('is taken over with its database server after a kill, and kept from a second one still', async () => {
    const pid = serverPid();
    const job = await heddle.client.submitted(textGraph());
    await heddle.process.kill9();
    expect(serverPid()).toBe(pid);
    await heddle.startAgain();
    expect(serverPid(), 'the same server goes on').toBe(pid);
    await eventually('the word of it', () => heddle.process.stderr().includes('adopted'));
    await heddle.client.reached(job.id, 'succeeded');
    await expect(startStandalone({ dataDir: heddle.dataDir })).rejects.toThrow(/Another Heddle/);
  });

  it('is free again after a stop: no server is left', async () => {
    expect(await heddle.process.terminate()).toBe(0);
    expect(serverPid()).toBeUndefined();
    await heddle.startAgain();
    await heddle.process.kill9();
    await heddle.process.stop();
    expect(serverPid(), 'stopped by the test kit after a kill').toBeUndefined();
    await heddle.startAgain();
  });
});
