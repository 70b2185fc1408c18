import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { runHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let service: Standalone;
let folder: string;
let id: string;
const history = (...words: string[]) => runHeddle(['history', 'show', ...words, '--data', service.dataDir], {});

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  const graph = join(folder, 'graph.json');
  await writeFile(graph, JSON.stringify(GRAPH));
  const { lines } = await runHeddle(['run', graph, '--json'], { HEDDLE_URL: service.url });
  id = String((lines().at(-1)?.['job'] as { id: string }).id);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history show', () => {
  it('prints the life of a job while Heddle runs', async () => {
    const { code, out } = await history(id);
    expect(code).toBe(0);
    const said = out.split('\n').map((line) => line.slice(38).trim());
    expect(said[0]).toBe('submitted: 2 nodes');
    expect(said[1]).toMatch(/^leased to .*: attempt 1, fence 1, builtin\//);
    expect(out).toMatch(/node 1 EmptyImage/);
    expect(out).toMatch(/output of node 2: blue_00001_\.png, image\/png/);
    expect(said.at(-2)).toMatch(/^succeeded/);
  });

  it('explains a database that holds no log', async () => {
    const server = new PostgresServer({ dataDir: service.dataDir });
    const url = server.url(server.running()!.port, 'postgres');
    const { code, err } = await runHeddle(['history', 'show', UNKNOWN, '--database-url', url], {});
    expect(code).toBe(1);
    expect(err).toContain('is not a database of Heddle: it has no table jobs.event');
    expect(err).toContain('check --database-url or HEDDLE_DATABASE_URL');
    expect(err).not.toContain('migrate');
  });

  it('takes the end of an id as jobs prints it, and so do the other commands', async () => {
    const end = id.slice(-8);
    const env = { HEDDLE_URL: service.url };
    const table = await heddleInProcess(['jobs'], env, 80);
    expect(table.out).toMatch(new RegExp(`^JOB +STATUS +AGE +TOOK\\n${end}  succeeded`));
    expect((await history(end)).out).toBe((await history(id)).out);
    for (const words of [
      ['jobs', 'show', end],
      ['watch', end],
      ['cancel', end],
    ]) {
      const { code, out } = await heddleInProcess([...words, '--json'], env);
      expect(code).toBe(0);
      expect(out).toContain(id);
    }
    expect((await history('ffff-ffff')).err).toContain('none of the newest 1000 jobs');
  });

  it('ends with 1 for a job that is not in the log, with 2 for a folder without data', async () => {
    expect((await history(UNKNOWN)).code).toBe(1);
    const nowhere = await runHeddle(['history', 'show', id, '--data', folder], {});
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('holds no data of Heddle') as string });
  });

  it('prints the same when Heddle is stopped, and leaves no server behind', async () => {
    const running = (await history(id, '--json')).out;
    await service.terminate();
    const stopped = await history(id, '--json');
    expect(stopped).toMatchObject({ code: 0, out: running });
    expect(stopped.lines().map(({ version }) => version)).toEqual(stopped.lines().map((_, index) => index + 1));
    const again = await startStandalone({ dataDir: service.dataDir });
    expect(await again.terminate()).toBe(0);
  }, 180_000);

  it('says so where a database cannot be reached: exit code 3', async () => {
    const { code, err } = await runHeddle(['history', 'show', id], {
      HEDDLE_DATABASE_URL: 'postgresql://x:y@127.0.0.1:9/heddle',
    });
    expect(code).toBe(3);
    expect(err).toContain('HEDDLE_DATABASE_URL');
    expect(err).not.toContain('x:y');
  });
});
