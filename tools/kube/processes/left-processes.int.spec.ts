import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '@heddle/platform-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KubeProcess } from './kube-process.ts';
import { stopLeftProcesses } from './stop-left-processes.ts';

describe('a process of the cluster', () => {
  let root: string;
  let folders: { processes: string; logs: string };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
    folders = { processes: join(root, 'processes'), logs: root };
    await mkdir(folders.processes);
  });
  afterEach(async () => {
    await stopLeftProcesses(folders.processes);
    await rm(root, { recursive: true });
  });

  const start = async (script: string, isReady = true): Promise<KubeProcess> =>
    await KubeProcess.start(
      {
        name: 'sleeper',
        program: process.execPath,
        args: ['-e', script],
        isReady: async () => await Promise.resolve(isReady),
        readyWithinMs: 10_000,
      },
      folders,
    );

  it('is ended by whoever finds its file, also if its launcher is gone', async () => {
    await start('setInterval(() => {}, 1000)');
    const { pid } = JSON.parse(await readFile(join(folders.processes, 'sleeper.json'), 'utf8')) as { pid: number };
    expect(processIdentity(pid)).toBeDefined();
    expect(await stopLeftProcesses(folders.processes)).toEqual(['sleeper']);
    expect(processIdentity(pid)).toBeUndefined();
    expect(await readdir(folders.processes)).toEqual([]);
    expect(await stopLeftProcesses(folders.processes)).toEqual([]);
  });

  it('is left alone if another process has its id', async () => {
    const record = { pid: process.pid, identity: 'another boot:1' };
    await writeFile(join(folders.processes, 'old.json'), JSON.stringify(record));
    expect(await stopLeftProcesses(folders.processes)).toEqual([]);
  });

  it('that ends at its start is reported with its last words', async () => {
    await expect(start('console.error("no such flag"); process.exit(1)', false)).rejects.toThrow(
      /sleeper ended at its start: .*no such flag/,
    );
  });
});
