import { execFile, spawn } from 'node:child_process';
import { access, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { InstallLock } from './install-lock.js';
import { toolEnvironment } from './tool-environment.js';

/** The largest, the API server of Kubernetes, takes five minutes of two free cores. */
const MAX_BUILD_MS = 2_700_000;
const KEPT_OUTPUT = 4_000;

/** A command that Go builds. */
export interface GoProgram {
  /** File name of the command. */
  readonly name: string;
  /** Its package, e.g. `helm.sh/helm/v4/cmd/helm`. */
  readonly package: string;
  /** e.g. `v4.2.4` */
  readonly version: string;
  /** For a package that `go install` refuses: a folder with go.mod and go.sum that name the version. */
  readonly module?: string;
  /** Variables of the linker, `name=value` each. */
  readonly stamps?: readonly string[];
  readonly tags?: string;
}

/** The command can be neither found nor built; the message says what to do. */
export class GoProgramMissingError extends Error {
  constructor({ name, version }: Pick<GoProgram, 'name' | 'version'>, reason: string, options?: ErrorOptions) {
    super(`${name} ${version} is not installed and could not be built: ${reason}`, options);
    this.name = 'GoProgramMissingError';
  }
}

/** Where a program is installed below a folder. */
function placesIn(folder: string, { name, version }: GoProgram): Record<'folder' | 'binary' | 'marker', string> {
  const own = join(resolve(folder), `${name}-${version}`);
  return { folder: own, binary: join(own, name), marker: join(own, 'complete') };
}

/**
 * The path of the command below `folder`, built there if it is missing. Concurrent processes wait for the one that builds.
 * Rejects with GoProgramMissingError.
 */
export async function installGoProgram(
  folder: string,
  program: GoProgram,
  onProgress: (line: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<string> {
  const places = placesIn(folder, program);
  if (await exists(places.marker)) return places.binary;
  await checkGoProgram(folder, program);
  await mkdir(places.folder, { recursive: true });
  const lock = await InstallLock.take(join(places.folder, 'building'), MAX_BUILD_MS);
  try {
    if (await exists(places.marker)) return places.binary;
    onProgress(`building ${program.name} ${program.version} (once, up to five minutes)`);
    const target = await mkdtemp(join(places.folder, 'go-'));
    try {
      await build(program, target, signal);
      await rename(join(target, program.name), places.binary);
    } finally {
      await rm(target, { recursive: true, force: true });
    }
    // Last: a build that was cut short leaves no marker and is made again.
    await writeFile(places.marker, `${program.package}@${program.version}\n`);
    onProgress(`${program.name} ${program.version} is built`);
    return places.binary;
  } finally {
    await lock.release();
  }
}

/** Rejects with GoProgramMissingError if `installGoProgram` cannot work: nothing is built and Go does not run. */
export async function checkGoProgram(folder: string, program: GoProgram): Promise<void> {
  if (await exists(placesIn(folder, program).marker)) return;
  await promisify(execFile)('go', ['version'], { timeout: 30_000 }).catch((error: unknown) => {
    throw new GoProgramMissingError(
      program,
      'it is built with Go (1.25 or newer), and the command `go` does not run. Install Go, or copy the folder from a machine that has built it',
      { cause: error },
    );
  });
}

/** A third smaller without symbols, and without paths of the building machine. */
async function build(program: GoProgram, target: string, signal?: AbortSignal): Promise<void> {
  const { module, stamps = [], tags } = program;
  if (module !== undefined) await cp(module, target, { recursive: true });
  const ldflags = ['-s', '-w', ...stamps.map((stamp) => `-X ${stamp}`)].join(' ');
  const flags = ['-trimpath', '-ldflags', ldflags, ...(tags === undefined ? [] : ['-tags', tags])];
  const args =
    module === undefined
      ? ['install', ...flags, `${program.package}@${program.version}`]
      : ['build', ...flags, '-o', program.name, program.package];
  return new Promise((done, fail) => {
    const child = spawn('go', args, {
      // A Go module in the caller's folder must not change what is built.
      cwd: target,
      env: { ...toolEnvironment(), GOBIN: target, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: MAX_BUILD_MS,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-KEPT_OUTPUT)));
    child.once('error', fail);
    child.once('close', (code, killed) => {
      if (code === 0) return done();
      fail(new GoProgramMissingError(program, `go ${args[0]} ended with ${killed ?? code}: ${output.trim()}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
