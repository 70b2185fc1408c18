// `npm run demo`: processes a real image with a real graph on a temporary Heddle.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { program } from '@heddle/platform-telemetry/program';
import { onStopSignal } from '@heddle/platform-telemetry/stop-signals';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { safeName } from '../run-workflow/safe-name.js';
import { checkOutputs } from './check-outputs.js';
import { startHeddle } from './running-heddle.js';

const GRAPH = fileURLToPath(new URL('../../demo/graph.json', import.meta.url));
const PICTURE = fileURLToPath(new URL('../../demo/lake-at-dusk.jpg', import.meta.url));

const HELP = `npm run demo [-- --keep]

Starts Heddle on a free port, sends a picture through a graph, checks the outputs, prints the job's history, and removes
everything again. --keep leaves the outputs and prints where they are.
`;
const words = process.argv.slice(2);
const unknown = words.find((word) => !['--keep', '--help', '-h'].includes(word));
if (unknown !== undefined || words.some((word) => word === '--help' || word === '-h')) {
  if (unknown !== undefined) process.stderr.write(`heddle: demo has no option "${unknown}"\n\n`);
  (unknown === undefined ? process.stdout : process.stderr).write(HELP);
  process.exit(unknown === undefined ? 0 : 2);
}
const keep = words.includes('--keep');
const cleanUps: (() => Promise<void>)[] = [];
let interrupted = false;
let cleaning: Promise<void> | undefined;
let cli: ChildProcess | null = null;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const startedAt = Date.now();
  const folder = await temporaryFolder('heddle-demo-');
  const outputs = await mkdtemp(join(tmpdir(), 'heddle-demo-outputs-'));
  if (!keep) cleanUps.unshift(() => rm(outputs, { recursive: true, force: true }));

  say('1. starting Heddle on a free port, with a data folder of its own');
  const service = await startHeddle(folder, (stop) => cleanUps.unshift(stop));
  say(`   ${service.url} serves after ${elapsed(startedAt)}`);

  say('2. a picture goes through a graph of eleven nodes');
  await heddle(
    ['run', GRAPH, '--input', `1.image=${PICTURE}`, '--out', outputs, '--metadata', 'shown-by=demo'],
    service.url,
  );

  say('3. checking what came out');
  const [newest = ''] = (await captured(['jobs', 'list', '--limit', '1', '--json'], service.url)).split('\n');
  const job = await jobOf((JSON.parse(newest) as { id: string }).id, service.url);
  const files = job.outputs.map(({ nodeId, name, hash }) => ({
    nodeId,
    hash,
    path: join(outputs, safeName(name, nodeId)),
  }));
  for (const proof of await checkOutputs(files)) say(`   ${proof}`);

  say("4. the job's history, from the event log");
  await heddle(['history', 'show', job.id, '--data', folder], service.url);
  if (keep) say(`5. the outputs are in ${outputs}`);
  await cleanUp();
  say(
    `done in ${elapsed(startedAt)}; ${keep ? 'everything else' : 'everything'} that was started is stopped and removed`,
  );
}

/** As root, the database runs as another user, who must be able to enter its folder. */
async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  cleanUps.unshift(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  return folder;
}

async function jobOf(id: string, url: string): Promise<WireJob> {
  const job = readJob(JSON.parse(await captured(['jobs', 'show', id, '--json'], url)));
  if (job === null) throw new Error('the service returned no job');
  return job;
}

/** Runs the CLI as users do, on this terminal. */
async function heddle(args: readonly string[], url: string): Promise<void> {
  await ended(spawnCli(args, url, 'inherit'), args);
}

async function captured(args: readonly string[], url: string): Promise<string> {
  const child = spawnCli(args, url, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await ended(child, args);
  return output.trim();
}

function spawnCli(args: readonly string[], url: string, stdout: 'inherit' | 'pipe'): ChildProcess {
  if (interrupted) throw new Error('interrupted');
  const unset = ['TOKEN', 'STATIC_TOKEN', 'DATABASE_URL'].flatMap((name) => [`HEDDLE_${name}`, `HEDDLE_${name}_FILE`]);
  const env = { ...process.env, ...Object.fromEntries(unset.map((name) => [name, ''])), HEDDLE_URL: url };
  // In its own process group, so that only the demonstration handles Ctrl-C.
  cli = spawn(process.execPath, [...program('cli'), ...args], {
    env,
    stdio: ['ignore', stdout, 'inherit'],
    detached: true,
  });
  return cli;
}

function ended(child: ChildProcess, args: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`heddle ${args[0] ?? ''} ended with exit code ${code ?? 'none'}`)),
    );
  });
}

function elapsed(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/** In reverse order, one after the other; concurrent callers share one run. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (let next = cleanUps.shift(); next !== undefined; next = cleanUps.shift()) await next();
  })();
  return cleaning;
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
onStopSignal((signal) => {
  if (interrupted) return;
  interrupted = true;
  cli?.kill('SIGKILL');
  process.stderr.write('\nstopping everything\n');
  void cleanUp().then(() => process.exit(EXIT_CODES[signal]));
});

try {
  await main();
} catch (error) {
  await cleanUp();
  if (!interrupted) {
    process.stderr.write(`the demonstration failed: ${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}
