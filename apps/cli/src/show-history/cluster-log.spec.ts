import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

const JOB = '00000000-0000-4000-8000-000000000000';

describe('history show where only a cluster keeps its data', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const shown = async (): Promise<string> =>
    (await heddleInProcess(['history', 'show', JOB], { HEDDLE_DATA: folder })).err;

  it('names the folder of the cluster', async () => {
    mkdirSync(join(folder, 'cluster', 'postgres'), { recursive: true });
    expect(await shown()).toContain(`--data ${relative(process.cwd(), join(folder, 'cluster'))}`);
  });

  it('names the database of a cluster that has none of its own', async () => {
    mkdirSync(join(folder, 'cluster'));
    const state = { databaseUrl: 'postgres://heddle@db:5432/heddle' };
    writeFileSync(join(folder, 'cluster', 'cluster.json'), JSON.stringify(state));
    expect(await shown()).toContain('--database-url postgres://heddle@db:5432/heddle');
  });

  it('says which setting names the folder where there is no cluster either', async () => {
    expect(await shown()).toContain('--data FOLDER (HEDDLE_DATA)');
  });
});
