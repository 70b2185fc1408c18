import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JobsSettings, verifyHistory } from '@heddle/jobs';
import { PostgresServer } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import pg from 'pg';
import { read } from './measures/product.ts';

const MAIN = resolve(import.meta.dirname, 'main.ts');

let product: Standalone;
beforeAll(async () => {
  product = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
});
afterAll(async () => {
  await product?.stop();
});

async function command(args: readonly string[]): Promise<{ code: number | null; report: Record<string, unknown> }> {
  const env = { PATH: process.env['PATH'], HEDDLE_DATA: product.dataDir };
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const said = await text(child.stdout);
  return { code: await ended, report: JSON.parse(said) as Record<string, unknown> };
}

it('writes into the folder of a running service, again and again, within the queue depths', async () => {
  for (const round of [1, 2]) {
    const { code, report } = await command(['--jobs', '3000', '--accounts', '30', '--deployments', '3']);
    expect({ code, round, report }).toMatchObject({ code: 0, report: { jobs: 3000, interrupted: false } });
  }
  const { status, body } = await read(`${product.url}/api/v2/jobs?status=failed&limit=10`);
  expect({ status, jobs: (body as { jobs: unknown[] }).jobs.length }).toEqual({ status: 200, jobs: 10 });
  const server = new PostgresServer({ dataDir: product.dataDir });
  const owner = new pg.Pool({ connectionString: server.url(server.running()!.port, 'heddle') });
  try {
    expect(await verifyHistory(owner)).toMatchObject({ faults: [], jobs: 6000 });
    const { rows } = await owner.query<{ most: number }>(
      `select max(waiting + running)::int as most from jobs.queue_depth where account_id <> '00000000-0000-0000-0000-000000000000'`,
    );
    expect(rows[0]!.most).toBeLessThan(new JobsSettings().queueDepthAccount / 2);
  } finally {
    await owner.end();
  }
});
