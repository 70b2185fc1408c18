import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '@heddle/platform-database';
import { HeddleClient, sleepingGraph, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LauncherProcess, runLauncher } from './launcher.fixture.js';
import type { StatusRow } from './launcher.fixture.js';
import { runCli } from './run-cli.js';

const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_LEASE_S: '3',
  HEDDLE_RETRY_DELAY_S: '0.3',
  HEDDLE_MAX_ATTEMPTS: '50',
};
const NAMES = [
  'postgres',
  'kafka-1',
  's3',
  'validation-1',
  'assets-1',
  'logs-1',
  'jobs-1',
  'registry-1',
  'gateway-1',
  'worker-1',
];
const START_WITHIN_MS = 240_000;
const TEST_TIMEOUT_MS = 180_000;
const BACK_WITHIN_MS = 60_000;

describe('the launcher of a cluster', { timeout: TEST_TIMEOUT_MS }, () => {
  let dataDir: string;
  let launcher: LauncherProcess;
  let url: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'heddle-launcher-'));
    launcher = LauncherProcess.start(dataDir, SETTINGS);
    url = await launcher.ready();
  }, START_WITHIN_MS);
  afterAll(async () => {
    await launcher.stop();
    await runLauncher(['--down'], dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }, START_WITHIN_MS);

  const row = async (name: string): Promise<StatusRow | undefined> =>
    (await launcher.status()).find((one) => one.name === name);

  it('prints each step of its start with its time, and nothing but the addresses on standard output', () => {
    for (const step of [
      'PostgreSQL',
      'Apache Kafka',
      'S3 server',
      'migrations',
      'topics',
      'jobs',
      'gateway',
      'worker',
    ]) {
      expect(launcher.err).toContain(`heddle: ${step}: starting\n`);
      expect(launcher.err).toMatch(new RegExp(`^heddle: ${step}: ready after [0-9.]+ s$`, 'm'));
    }
    expect(launcher.out).toMatch(
      new RegExp(`^heddle ready ${url}\nheddle registry ready http://127\\.0\\.0\\.1:\\d+\n$`),
    );
  });

  it('lists every process with its ports and its log', async () => {
    // A worker is ready before its stream to the jobs service is open, and degraded until then.
    const states = async (): Promise<object[]> =>
      (await launcher.status()).map(({ name, state, restarts }) => ({ name, state, restarts }));
    await expect.poll(states).toEqual(NAMES.map((name) => ({ name, state: 'ready', restarts: 0 })));
    const rows = await launcher.status();
    for (const { name, pid, health_port, log } of rows) {
      expect(processIdentity(pid ?? 0), name).toBeDefined();
      expect(await readFile(log, 'utf8'), name).toBeTypeOf('string');
      if (health_port !== null) expect((await fetch(`http://127.0.0.1:${health_port}/livez`)).status, name).toBe(200);
    }
    const { out, code } = await runLauncher(['--status'], dataDir);
    expect(code).toBe(0);
    expect(out).toMatch(/^NAME +PID +STATE +PORT +CALLS +HEALTH +UPTIME +RESTARTS +LOG$/m);
    expect(out).toContain(url);
  });

  it('prints the command that reads the log of its jobs', async () => {
    const client = await HeddleClient.connect(url);
    const job = await client.submitted(textGraph());
    await client.reached(job.id, 'succeeded');
    const { out } = await runLauncher(['--status'], dataDir);
    const words = /^history +npm run heddle -- (history show) JOB (--data) (.+)$/m.exec(out);
    expect(words, out).not.toBeNull();
    const read = await runCli([...words![1]!.split(' '), job.id, words![2]!, words![3]!, '--json'], {});
    expect(read.lines().at(-1)).toMatchObject({ type: 'JobSucceeded' });
  });

  it('refuses a second launcher on its folder in one line', async () => {
    const second = await runLauncher([], dataDir);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(
      /^heddle: a cluster runs in \S+ already \(process \d+\): [^\n]+--status[^\n]+--down[^\n]+\n$/,
    );
    expect(await row('gateway-1')).toMatchObject({ state: 'ready' });
  });

  it.each([['postgres'], ['kafka-1'], ['s3'], NAMES.slice(3)])(
    'brings %s back after kill -9, and jobs go on',
    async (...names) => {
      const client = await HeddleClient.connect(url);
      const running = await client.submitted(sleepingGraph(2));
      const before = (await launcher.status()).filter(({ name }) => names.includes(name));
      for (const { pid } of before) process.kill(pid!, 'SIGKILL');
      const back = before.map(({ name, restarts }) => ({ name, state: 'ready', restarts: restarts + 1 }));
      const victims = async (): Promise<StatusRow[]> =>
        (await launcher.status()).filter(({ name }) => names.includes(name));
      await expect.poll(victims, { timeout: BACK_WITHIN_MS, interval: 500 }).toMatchObject(back);
      for (const name of names) {
        const told = new RegExp(`^heddle: ${name} ended \\(.+\\) and is started again in [0-9.]+ s; its log: `, 'gm');
        expect(launcher.err.match(told), name).toHaveLength(1);
      }
      await client.reached(running.id, 'succeeded', BACK_WITHIN_MS);
      const next = await client.submitted(textGraph());
      await client.reached(next.id, 'succeeded', BACK_WITHIN_MS);
    },
  );

  it('ends with a message when a server fails again and again, and nothing is left running', async () => {
    const rows = await launcher.status();
    const s3 = rows.find(({ name }) => name === 's3')!;
    const objects = join(dataDir, 's3', 'objects');
    await rename(objects, `${objects}.away`);
    await writeFile(objects, 'not a folder');
    process.kill(s3.pid!, 'SIGKILL');
    expect(await launcher.ended()).toBe(1);
    expect(launcher.err).toMatch(
      /^heddle: s3 failed 8 times in a row \(it did not start: .+\); its log: \S+server\.log$/m,
    );
    expect(launcher.err).not.toContain('    at ');
    expect(rows.filter(({ pid }) => processIdentity(pid ?? 0) !== undefined)).toEqual([]);
    const status = await runLauncher(['--status'], dataDir);
    expect(status.code).toBe(1);
    expect(status.err).toContain('s3 failed 8 times in a row');
    await rm(objects);
    await rename(`${objects}.away`, objects);
  });

  it('ends everything in order on Ctrl-C, while it starts and while it runs', async () => {
    const early = LauncherProcess.start(dataDir, SETTINGS);
    await early.says(() => early.err.includes('heddle: jobs: starting'));
    const started = early.pids();
    expect(started).not.toEqual([]);
    early.interrupt();
    expect(await early.ended()).toBe(0);
    expect(early.out).toBe('');
    expect(early.err).not.toContain('is started again');

    launcher = LauncherProcess.start(dataDir, SETTINGS);
    url = await launcher.ready();
    const pids = launcher.pids();
    launcher.interrupt();
    expect(await launcher.ended()).toBe(0);
    expect(launcher.err.trimEnd().endsWith('heddle: stopping')).toBe(true);
    expect([...started, ...pids].filter((pid) => processIdentity(pid) !== undefined)).toEqual([]);
    const status = await runLauncher(['--status'], dataDir);
    expect({ code: status.code, err: status.err }).toEqual({ code: 1, err: `heddle: no cluster runs in ${dataDir}\n` });
  });
});
