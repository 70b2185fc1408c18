import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readSettingFlags, readSettings, SETTINGS, unknownSettings } from '@heddle/composition';
import { program } from '@heddle/platform-telemetry/program';
import { HELP, isUsage, readCommand } from './command.js';
import type { ClusterCommand } from './command.js';
import { readNote, removeNote, stopLauncher, writeNote } from './run-note.js';
import { startCluster } from './start-cluster.js';
import { stopLeftovers } from './stop-leftovers.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const STOP_WITHIN_MS = 60_000;
const DETACHED_READY_MS = 600_000;
/** A signal that comes again so soon is the same one, sent to the process and to its group. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command.help) return void process.stdout.write(`${HELP}\n`);
  const env: Record<string, string | undefined> = {
    ...process.env,
    ...readSettingFlags(command.settingWords, Object.values(SETTINGS)),
  };
  const dataDir = resolve(env['HEDDLE_DATA'] || '.heddle/cluster');
  env['HEDDLE_DATA'] = dataDir;
  if (command.down) return await down(dataDir);
  const running = readNote(dataDir);
  if (running !== null) {
    throw new Error(
      `a cluster runs in ${dataDir} already (process ${running.pid}): npm run cluster -- --down stops it`,
    );
  }
  if (command.detach) return await detach(dataDir);
  await runHere(command, env, dataDir);
}

async function runHere(
  command: ClusterCommand,
  env: Record<string, string | undefined>,
  dataDir: string,
): Promise<void> {
  const progress = (line: string): void => void process.stderr.write(`heddle: ${line}\n`);
  // The services are given only what they read.
  for (const unknown of unknownSettings(env)) progress(unknown);
  if (await stopLeftovers(dataDir)) progress('stopped what a killed run had left');
  writeNote(dataDir, { pid: process.pid, url: null });
  const starting = startCluster({
    settings: readSettings(env),
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    replicas: command.replicas,
    brokers: command.brokers,
    dataDir,
    cacheDir: join(ROOT, '.cache'),
    progress,
  });
  let stoppingSince: number | null = null;
  const stop = (): void => {
    if (stoppingSince !== null) {
      // Somebody insists, perhaps while servers are still fetched: processes end with this one.
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    progress('stopping');
    void starting
      .then(async (cluster) => await cluster.stop())
      .then(() => removeNote(dataDir))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    const { url } = await starting;
    writeNote(dataDir, { pid: process.pid, url });
    if (stoppingSince === null) process.stdout.write(`heddle ready ${url}\n`);
  } catch (error) {
    removeNote(dataDir);
    throw error;
  }
}

async function down(dataDir: string): Promise<void> {
  const launcher = await stopLauncher(dataDir, STOP_WITHIN_MS);
  const stopped = (await stopLeftovers(dataDir)) || launcher;
  process.stderr.write(stopped ? 'heddle: stopped\n' : `heddle: no cluster runs in ${dataDir}\n`);
}

/** The same command again in the background; returns when that one is ready. */
async function detach(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const log = openSync(join(dataDir, 'launcher.log'), 'a', 0o600);
  const words = process.argv.slice(2).filter((word) => word !== '--detach');
  const child = spawn(process.execPath, [...program('cluster'), ...words], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const deadline = performance.now() + DETACHED_READY_MS;
  for (;;) {
    const url = readNote(dataDir)?.url ?? null;
    if (url !== null) {
      process.stdout.write(`heddle ready ${url}\n`);
      return child.unref();
    }
    const over = await Promise.race([ended.then(() => true), delay(100, false)]);
    if (over || performance.now() > deadline) {
      child.kill('SIGTERM');
      throw new Error(`the cluster did not start; ${join(dataDir, 'launcher.log')} says why`);
    }
  }
}

main().then(
  () => undefined,
  (error: unknown) => {
    const stack = error instanceof Error ? error.stack : undefined;
    process.stderr.write(`heddle: ${isUsage(error) ? error.message : (stack ?? String(error))}\n`);
    process.exit(isUsage(error) ? 2 : 1);
  },
);
