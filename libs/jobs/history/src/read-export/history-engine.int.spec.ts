import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HistoryEngine } from './history-engine.js';

const ENDLESS = 'select count(*) from range(10000000000) a, range(10000000000) b';

let folder: string;
let listeners: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-engine-'));
  vi.stubEnv('TMPDIR', folder);
  listeners = process.listenerCount('exit');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const leavesNothing = (): void => expect([readdirSync(folder), process.listenerCount('exit')]).toEqual([[], listeners]);

it('an abort ends the statement that is running', async () => {
  const ended = new AbortController();
  setTimeout(() => ended.abort(new Error('interrupted')), 50);
  const asked = HistoryEngine.during(ended.signal, (connection) => connection.run(ENDLESS));
  await expect(asked).rejects.toThrow('interrupted');
  leavesNothing();
});

it('an abort between two statements ends the next one', async () => {
  for (let after = 0; after < 20; after += 1) {
    const ended = new AbortController();
    const asked = HistoryEngine.during(ended.signal, async (connection) => {
      setTimeout(() => ended.abort(new Error('interrupted')), after / 4);
      await connection.run('select 1');
      await connection.run(ENDLESS);
    });
    await expect(asked).rejects.toThrow('interrupted');
  }
  leavesNothing();
});

it('an engine that cannot start leaves nothing behind', async () => {
  vi.spyOn(DuckDBInstance, 'create').mockRejectedValue(new Error('no memory'));
  await expect(HistoryEngine.open()).rejects.toThrow('no memory');
  leavesNothing();
});
