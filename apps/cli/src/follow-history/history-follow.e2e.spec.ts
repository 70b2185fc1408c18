import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '@heddle/platform-telemetry/program';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle, startHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: '\u202egnp' } },
};
const KEYS = [
  ...['seq', 'event_id', 'job_id', 'version', 'type', 'schema_version', 'account_id', 'deployment_id', 'fence'],
  ...['worker_seq', 'is_terminal', 'recorded_at', 'correlation_id', 'causation_id', 'chain', 'data'],
];

let service: Standalone;
let folder: string;
let graph: string;
const history = (...words: string[]) => runHeddle(['history', ...words, '--data', service.dataDir], {});
const runJob = () => runHeddle(['run', graph, '--json'], { HEDDLE_URL: service.url });

/** Runs a command with event lines on standard input. */
async function piped(lines: string, ...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...program('cli'), 'history', ...words, '--from', '-', '--json']);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(lines);
  return await new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  graph = join(folder, 'graph.json');
  await writeFile(graph, JSON.stringify(GRAPH));
  await runJob();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history follow', () => {
  it('prints each event once, from the beginning and as it comes, which verify and show read again', async () => {
    const seven = startHeddle(
      ['history', 'follow', '--after', '0', '--limit', '8', '--json', '--data', service.dataDir],
      {},
    );
    await runJob();
    const { code, out, lines } = await seven.ended;
    expect(code).toBe(0);
    expect(lines().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const line of lines()) expect(Object.keys(line)).toEqual(KEYS);
    expect(out).not.toContain('\u202e');
    const verified = await piped(out, 'verify');
    expect(verified).toMatchObject({ code: 0 });
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true, source: '-', events: 8, read_model: 'not_checked' });
    const id = String(lines()[0]!['job_id']);
    const shown = await history('show', id, '--json');
    expect((await piped(shown.out, 'show', id)).out).toBe(shown.out);
    const changed = await piped(out.replace('"attempt":1', '"attempt":2'), 'verify');
    expect([changed.code, JSON.parse(changed.out)]).toMatchObject([1, { faults: [{ fault: 'hash', version: 2 }] }]);
  }, 60_000);

  it('shows a job at a glance', async () => {
    const { out } = await history('follow', '--after', '0', '--type', 'JobSucceeded', '--limit', '1', '--json');
    const id = String((JSON.parse(out) as { job_id: string }).job_id);
    const summary = await history('show', id, '--summary', '--json');
    expect(JSON.parse(summary.out)).toMatchObject({
      status: 'succeeded',
      attempts: [{ attempt: 1 }],
      outputs: [{ node_id: '2' }],
    });
    expect((await history('show', id, '--summary')).out).toMatch(/^job .*: succeeded, version \d+\nsubmitted /);
  });

  it('reads the embedded database as the role of analysts', async () => {
    const server = serverOf(service.dataDir)!;
    const owner = new pg.Client(server.url(server.running()!.port, 'heddle'));
    await owner.connect();
    await owner.query('revoke select on jobs.event from heddle_analyst');
    const refused = await history('follow', '--after', '0', '--limit', '1');
    await owner.query('grant select on jobs.event to heddle_analyst');
    await owner.end();
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('the database refuses this role') as string,
    });
    expect((await history('follow', '--after', '0', '--limit', '1')).code).toBe(0);
  });

  it('ends with 0 on Ctrl-C', async () => {
    const running = startHeddle(['history', 'follow', '--after', '0', '--data', service.dataDir], {});
    let seen = '';
    await new Promise<void>((done) =>
      running.child.stdout!.on(
        'data',
        (chunk: Buffer) => (seen += chunk.toString()).includes('JobSucceeded') && done(),
      ),
    );
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  it.each([
    [['follow', '--type', 'JobPaused'], 'unknown event type "JobPaused"'],
    [['follow', '--after', '-1'], '--after must be a whole number'],
    [['follow', '--limit', '0'], '--limit must be a whole number of 1 or more'],
    [['verify', '--from', '-'], '--from and --data name two logs'],
  ])('%s is wrong usage', async (words, message) => {
    expect(await history(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });

  it('refuses lines that are no events with a code of their own', async () => {
    const { code, out } = await piped('hello\n', 'verify');
    expect([code, JSON.parse(out)]).toMatchObject([1, { event: 'error', error: { code: 'bad_line' } }]);
  });
});
