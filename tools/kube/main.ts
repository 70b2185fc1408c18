// `npm run kube`: the development cluster.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { areFree, lastingPort } from '@heddle/platform-database';
import { HELP, KubeUsageError, readKubeCommand, type KubeCommand } from './arguments.ts';
import { simulateReleases } from './cluster/simulate-releases.ts';
import { missing, NODE_PREREQUISITES, SIMULATED_PREREQUISITES } from './prerequisites.ts';
import { startRealKube } from './start-real-kube.ts';
import { startSimulatedKube, type RunningKube } from './start-simulated-kube.ts';
import { removeTraces, runningLauncher, stopKube, writeLauncher } from './stop-kube.ts';

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));
const ROOT = join(CACHE, 'kube');
const EXIT = { done: 0, failed: 1, usage: 2 } as const;
const READY_WITHIN_MS = 3_600_000;
const POLL_MS = 200;
const API_PORT = 8189;
const READY_LINE = /^(?:heddle|simulated cluster) ready.*\n/m;

const say = (line: string): boolean => process.stderr.write(`heddle: ${line}\n`);

async function main(words: readonly string[]): Promise<number> {
  const command = readKubeCommand(words);
  switch (command.action) {
    case 'help':
      process.stdout.write(HELP);
      return EXIT.done;
    case 'down':
      for (const trace of await stopKube(ROOT, command)) say(`removed ${trace}`);
      say('no cluster is left');
      return EXIT.done;
    case 'detach':
      return await detach(words);
    case 'run':
      return await run(command);
  }
}

async function run(command: KubeCommand): Promise<number> {
  const lacks = await missing(command.simulated ? SIMULATED_PREREQUISITES : NODE_PREREQUISITES);
  for (const one of lacks) say(`this machine lacks ${one}`);
  if (lacks.length > 0) return EXIT.failed;
  if (refusesSecond()) return EXIT.failed;
  // What a killed launcher left would be in the way.
  await removeTraces(ROOT, true);
  mkdirSync(ROOT, { recursive: true, mode: 0o700 });
  writeLauncher(ROOT);
  const stopAsked = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done());
  });
  const starting = command.simulated ? startSimulated() : startReal(command.keda);
  // A stop during the start waits for the step that runs, so that nothing of it is left.
  const running = await starting.catch(async (error: unknown) => {
    await removeTraces(ROOT, command.keepData);
    throw error;
  });
  await stopAsked;
  say('stopping');
  await running.stop();
  await removeTraces(ROOT, command.keepData);
  return EXIT.done;
}

async function startSimulated(): Promise<RunningKube> {
  const running = await startSimulatedKube({ cacheDir: CACHE, root: ROOT, say });
  await simulateReleases(running, say);
  process.stdout.write(`simulated cluster ready, export KUBECONFIG=${running.places.adminKubeconfig}\n`);
  return running;
}

async function startReal(keda: boolean): Promise<RunningKube> {
  const port = (await areFree(API_PORT, 1)) ? API_PORT : await lastingPort();
  const running = await startRealKube({ cacheDir: CACHE, root: ROOT, say, keda }, port);
  say(`export KUBECONFIG=${running.places.adminKubeconfig}`);
  process.stdout.write(`heddle ready ${running.url}\n`);
  return running;
}

function refusesSecond(): boolean {
  const launcher = runningLauncher(ROOT);
  if (launcher === null) return false;
  say(`a cluster runs already (process ${launcher.pid}); "npm run kube -- --down" stops it`);
  return true;
}

/** Starts the same command in the background, and prints what it prints until it is ready. */
async function detach(words: readonly string[]): Promise<number> {
  if (refusesSecond()) return EXIT.failed;
  mkdirSync(CACHE, { recursive: true });
  const logFile = join(CACHE, 'kube.log');
  rmSync(logFile, { force: true });
  const log = openSync(logFile, 'a', 0o600);
  const rest = words.filter((word) => word !== '--detach');
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [program, ...rest], { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let shown = 0;
  const show = (): string => {
    const text = readFileSync(logFile, 'utf8');
    // Printed once, as the output of this command.
    process.stderr.write(text.slice(shown).replace(READY_LINE, ''));
    shown = text.length;
    return text;
  };
  const ended = new Promise<number>((done) => child.once('exit', (code) => done(code ?? EXIT.failed)));
  for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until;) {
    const over = await Promise.race([ended, delay(POLL_MS, null)]);
    const ready = READY_LINE.exec(show())?.[0].trim();
    if (over !== null) return over;
    if (ready === undefined) continue;
    process.stdout.write(`${ready}\n`);
    child.unref();
    return EXIT.done;
  }
  child.kill('SIGTERM');
  say(`the cluster did not start; its log: ${logFile}`);
  return EXIT.failed;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof KubeUsageError ? EXIT.usage : EXIT.failed;
}
