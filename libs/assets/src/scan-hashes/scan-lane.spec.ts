import { describe, expect, it } from 'vitest';
import { ScanLane } from './scan-lane.js';

const run = async (lane: ScanLane, hash: string, answered: boolean): Promise<void> => {
  lane.start(
    hash,
    () => Promise.resolve(answered),
    () => undefined,
  );
  await lane.ended();
};

describe('a lane of scans', () => {
  it('has room for as many scans as it has slots', async () => {
    const lane = new ScanLane(2);
    const ends: (() => void)[] = [];
    for (const hash of ['a', 'b']) {
      lane.start(
        hash,
        () => new Promise((resolve) => ends.push(() => resolve(true))),
        () => undefined,
      );
    }
    expect([lane.room(performance.now()), lane.hashes]).toEqual([0, ['a', 'b']]);
    for (const end of ends) end();
    await lane.ended();
    expect(lane.room(performance.now())).toBe(2);
  });

  it('tries one at a time with backoff while every scan fails, and all slots after the first success', async () => {
    const lane = new ScanLane(4);
    for (let at = 0; at < 8; at += 1) await run(lane, `${at}`, false);
    expect(lane.room(performance.now())).toBe(0);
    expect(lane.room(performance.now() + 100)).toBe(1);
    for (let at = 0; at < 30; at += 1) await run(lane, `${at}`, false);
    expect(lane.room(performance.now() + 4_900)).toBe(0);
    expect(lane.room(performance.now() + 5_000)).toBe(1);
    await run(lane, 'a', true);
    expect(lane.room(performance.now())).toBe(4);
  });
});
