import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineSettings, restoreSettings } from './machine-settings.ts';

describe('kernel settings', () => {
  let kernel: string;
  beforeEach(async () => {
    kernel = await mkdtemp(join(tmpdir(), 'heddle-kube-'));
    for (const folder of ['net/ipv4', 'vm']) await mkdir(join(kernel, folder), { recursive: true });
    await writeFile(join(kernel, 'net/ipv4/ip_forward'), '0\n');
    await writeFile(join(kernel, 'vm/overcommit_memory'), '0\n');
  });
  afterEach(async () => {
    await rm(kernel, { recursive: true });
  });

  it('that a node has changed are set back, and only those', async () => {
    const before = machineSettings(kernel);
    expect(before).toEqual({ 'net/ipv4/ip_forward': '0', 'vm/overcommit_memory': '0' });
    await writeFile(join(kernel, 'net/ipv4/ip_forward'), '1\n');
    expect(restoreSettings(before, kernel)).toEqual(['net.ipv4.ip_forward']);
    expect(await readFile(join(kernel, 'net/ipv4/ip_forward'), 'utf8')).toBe('0');
    expect(restoreSettings(before, kernel)).toEqual([]);
  });

  it('that are gone are left', async () => {
    const before = machineSettings(kernel);
    await rm(join(kernel, 'vm/overcommit_memory'));
    expect(restoreSettings(before, kernel)).toEqual([]);
  });
});
