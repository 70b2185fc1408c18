import { setTimeout as delay } from 'node:timers/promises';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHeddle } from '../heddle-process.fixture.js';

let service: Standalone;
beforeAll(async () => {
  service = await startStandalone();
  await service.terminate();
});
afterAll(() => service.stop());

describe('Ctrl-C while a command starts the server of a data folder', () => {
  it.each([
    ['show 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10', 1, 130],
    ['follow', 1, 0],
    ['verify', 1, 130],
    ['rebuild', 1, 130],
    ['export --out never-made', 1, 130],
    ['as-of 1', 1, 130],
    ['verify', 3, 130],
  ])('history %s, pressed %i times: no server is left', async (words, times, code) => {
    const server = serverOf(service.dataDir)!;
    expect(server.running()).toBeUndefined();
    const { child, ended } = startHeddle(['history', ...words.split(' '), '--data', service.dataDir], {});
    while (server.running() === undefined) await delay(1);
    for (let time = 0; time < times; time++) {
      child.kill('SIGINT');
      // Signals that come at once are one signal.
      await delay(50);
    }
    // Once its server has stopped, a signal may end the process itself, which shells show as 130 too.
    const exit = (await ended).code ?? (child.signalCode === 'SIGINT' ? 130 : null);
    expect(exit).toBe(code);
    expect(server.running()).toBeUndefined();
  });
});
