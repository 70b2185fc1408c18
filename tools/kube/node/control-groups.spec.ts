import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeControlGroups, removeControlGroups } from './control-groups.ts';

describe('the control group of the pods', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  it('is in the tree of every controller, and goes with the groups below it', async () => {
    for (const controller of ['cpu', 'memory']) {
      await mkdir(join(root, controller));
      await writeFile(join(root, controller, 'tasks'), '');
    }
    // A tree of version 2 beside them, which holds no process.
    await mkdir(join(root, 'unified'));
    makeControlGroups(root);
    expect(existsSync(join(root, 'unified/heddle-kube'))).toBe(false);
    await mkdir(join(root, 'cpu/heddle-kube/kubepods/pod1'), { recursive: true });
    expect(removeControlGroups(root)).toBe(4);
    expect(existsSync(join(root, 'memory/heddle-kube'))).toBe(false);
  });

  it('counts as many processes where the system would count it as one', async () => {
    await mkdir(join(root, 'cpu/heddle-kube'), { recursive: true });
    await writeFile(join(root, 'cpu/tasks'), '');
    await writeFile(join(root, 'cpu/heddle-kube/cpu.shares'), '1024\n');
    makeControlGroups(root);
    expect(await readFile(join(root, 'cpu/heddle-kube/cpu.shares'), 'utf8')).toBe('20480');
  });

  it('is at the root of a system of version 2', () => {
    makeControlGroups(root);
    expect(existsSync(join(root, 'heddle-kube'))).toBe(true);
    expect(removeControlGroups(root)).toBe(1);
  });
});
