import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle, startHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

let service: Standalone;
let folder: string;
let graph: string;
const env = () => ({ HEDDLE_URL: service.url });
const heddle = (...words: string[]) => runHeddle(words, env());

beforeAll(async () => {
  service = await startStandalone({ env: { HEDDLE_WORKERS: '0', HEDDLE_STATIC_TOKEN: '' } });
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  graph = join(folder, 'graph.json');
  await writeFile(graph, JSON.stringify(GRAPH));
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a job that waits', () => {
  it('shows its place in the queue, and is canceled from elsewhere: watch ends with 1', async () => {
    const id = (await heddle('run', graph, '--detach')).out.trim();
    const watching = startHeddle(['watch', id], env());
    await watching.said('queued, position');
    const canceled = await heddle('cancel', id);
    expect(canceled).toMatchObject({ code: 0, out: `${id} canceled\n` });
    const { code, err } = await watching.ended;
    expect(code).toBe(1);
    expect(err).toContain('canceled');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('goes on when the command is left by %s', async (signal, exitCode) => {
    const running = startHeddle(['run', graph], env());
    await running.said('queued');
    running.child.kill(signal);
    const { code, err } = await running.ended;
    expect(code).toBe(exitCode);
    const id = /heddle watch ([0-9a-f-]{36})/.exec(err)?.[1] ?? '';
    expect((await heddle('jobs', 'show', id, '--json')).lines()[0]).toMatchObject({ status: 'queued' });
    expect((await heddle('cancel', id)).code).toBe(0);
  });

  it('is left after --timeout, with exit code 1', async () => {
    const { code, err } = await heddle('run', graph, '--timeout', '0.3');
    expect(code).toBe(1);
    expect(err).toContain('has not ended within 300 ms');
  });

  it('is in the list, page by page', async () => {
    for (let i = 0; i < 3; i++) await heddle('run', graph, '--detach', '--metadata', 'page=yes');
    const all = (await heddle('jobs', 'list', '--metadata', 'page=yes', '--all', '--json')).lines();
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect((await heddle('jobs', '--limit', '2', '--metadata', 'page=yes')).out.trim().split('\n')).toHaveLength(3);
    expect((await heddle('jobs', '--status', 'succeeded')).err).toContain('no jobs');
    expect((await heddle('jobs', '--status', 'sideways')).code).toBe(2);
  });

  it('is refused without the token, with a next step', async () => {
    const guarded = await startStandalone({
      env: { HEDDLE_STATIC_TOKEN: 'a-token-of-the-tests', HEDDLE_WORKERS: '0' },
    });
    try {
      const refused = await runHeddle(['jobs'], { HEDDLE_URL: guarded.url, HEDDLE_TOKEN: '', HEDDLE_STATIC_TOKEN: '' });
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('HEDDLE_TOKEN') as string });
      expect((await runHeddle(['jobs'], { HEDDLE_URL: guarded.url, HEDDLE_TOKEN: 'a-token-of-the-tests' })).code).toBe(
        0,
      );
    } finally {
      await guarded.stop();
    }
  }, 180_000);
});
