import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missing, programOnPath } from './prerequisites.ts';

describe('what a machine lacks', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is named, each with what to do, and what is there is not', async () => {
    const lacks = await missing([
      { lacks: 'a; install a', isThere: () => false },
      { lacks: 'b; install b', isThere: async () => await Promise.resolve(true) },
      { lacks: 'c; install c', isThere: async () => await Promise.resolve(false) },
    ]);
    expect(lacks).toEqual(['a; install a', 'c; install c']);
  });

  it('is found on the PATH of the caller', async () => {
    expect(programOnPath('heddle-kube-tool', folder)).toBeNull();
    await writeFile(join(folder, 'heddle-kube-tool'), '');
    expect(programOnPath('heddle-kube-tool', `/nowhere:${folder}`)).toBe(join(folder, 'heddle-kube-tool'));
  });
});
