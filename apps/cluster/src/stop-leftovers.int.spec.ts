import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopLeftovers } from './stop-leftovers.js';

describe.runIf(process.platform === 'linux')('what a killed launcher left', () => {
  let folder: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-leftovers-'));
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Resolves when it runs. */
  const start = async (app: string, dataDir: string): Promise<ChildProcess> => {
    const main = join(folder, 'dist', `${app}.js`);
    mkdirSync(join(main, '..'), { recursive: true });
    writeFileSync(main, `process.stdout.write('up'); setInterval(() => {}, 1000);`);
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, HEDDLE_DATA: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(child);
    await once(child.stdout!, 'data');
    return child;
  };
  const runs = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

  it('ends with its services, and nobody else is touched', async () => {
    const [mine, other] = [join(folder, 'mine'), join(folder, 'other')];
    const left = await start('jobs', mine);
    const neighbour = await start('jobs', other);
    const standalone = await start('standalone', mine);
    const ended = once(left, 'exit');
    expect(await stopLeftovers(mine)).toBe(true);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect([neighbour, standalone].map(runs)).toEqual([true, true]);
  });

  it('is nothing where everything was stopped in order', async () => {
    expect(await stopLeftovers(join(folder, 'mine'))).toBe(false);
  });
});
