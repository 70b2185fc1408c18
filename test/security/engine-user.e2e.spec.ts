import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, HeddleClient, pictureGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, enginesOf } from '../chaos/processes.ts';

const isRoot = process.getuid?.() === 0;
const title = 'the engine of a Heddle that runs as root';

describe.runIf(isRoot)(isRoot ? title : `${title} (skipped: this is not root)`, { timeout: 120_000 }, () => {
  let heddle: Standalone;
  let engine: number;
  beforeAll(async () => {
    heddle = await startStandalone({ env: { HEDDLE_STATIC_TOKEN: 'canary-token', HEDDLE_TEST_NODES: '1' } });
    engine = await eventually('an engine process', () => enginesOf(heddle.pid)[0]);
  });
  afterAll(() => heddle?.stop());

  const idsOf = (pid: number): { uid: number; gid: number } => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const id = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
    return { uid: id('Uid'), gid: id('Gid') };
  };
  /** True if the command succeeds as the engine's user. */
  const asEngine = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args, { ...idsOf(engine), stdio: 'ignore' }).status === 0;

  const readableByEngine = (files: readonly string[]): string[] => {
    const script = 'for file; do [ -r "$file" ] && echo "$file"; done';
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...files], { ...idsOf(engine), encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line !== '');
  };

  it('is another user than the service and its database', async () => {
    await eventually('its own user', () => idsOf(engine).uid !== 0);
    expect(readFileSync(`/proc/${engine}/status`, 'utf8')).toMatch(/^NoNewPrivs:\s*1$/m);
    const database = childrenOf(heddle.pid).map((pid) => idsOf(pid).uid);
    expect(database.filter((uid) => uid === idsOf(engine).uid)).toHaveLength(1);
  });

  it('reads no folder, database file, blob or key of the service, and none of its secrets', async () => {
    const client = await HeddleClient.connect(heddle.url, { token: 'canary-token' });
    await client.reached((await client.submitted(pictureGraph())).id, 'succeeded');
    const files = readdirSync(heddle.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.some((file) => file.includes('blobs'))).toBe(true);
    expect(files.some((file) => file.includes('PG_VERSION'))).toBe(true);
    expect(asEngine('ls', heddle.dataDir)).toBe(false);
    expect(readableByEngine(files)).toEqual([]);
    expect(readableByEngine(['/etc/passwd'])).toEqual(['/etc/passwd']);
    expect(asEngine('cat', `/proc/${heddle.pid}/environ`)).toBe(false);
    expect(asEngine('kill', '-0', String(heddle.pid))).toBe(false);
  });
});
