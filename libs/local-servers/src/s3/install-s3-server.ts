import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { InstallLock } from '../install-lock.js';
import { BUILD_FLAGS, S3_SERVER_MODULE, S3_SERVER_VERSION } from './s3-release.js';
import { toolEnvironment } from '../tool-environment.js';

const MAX_BUILD_MS = 900_000;
const KEPT_OUTPUT = 4_000;

/** The server can be neither found nor built; the message says what to do. */
export class S3ServerMissingError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the S3 server ${S3_SERVER_VERSION} is not installed and could not be built: ${reason}`, options);
    this.name = 'S3ServerMissingError';
  }
}

/**
 * The path of the server's binary below `cacheDir/s3`, built there if it is missing: about three minutes once.
 * Concurrent processes wait for the one that builds. Rejects with S3ServerMissingError.
 */
export async function installS3Server(
  cacheDir: string,
  onProgress: (line: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<string> {
  const { folder, binary, marker } = placesIn(cacheDir);
  if (await exists(marker)) return binary;
  await checkS3Server(cacheDir);
  await mkdir(folder, { recursive: true });
  const lock = await InstallLock.take(join(folder, 'building'), MAX_BUILD_MS);
  try {
    if (await exists(marker)) return binary;
    onProgress(`building the S3 server ${S3_SERVER_VERSION} (once, about three minutes)`);
    await build(folder, binary, signal);
    // Last: a build that was cut short leaves no marker and is made again.
    await writeFile(marker, `${S3_SERVER_MODULE}@${S3_SERVER_VERSION}\n`);
    onProgress('the S3 server is built');
    return binary;
  } finally {
    await lock.release();
  }
}

/** Rejects with S3ServerMissingError if `installS3Server` cannot work: nothing is built and Go does not run. */
export async function checkS3Server(cacheDir: string): Promise<void> {
  if (await exists(placesIn(cacheDir).marker)) return;
  await promisify(execFile)('go', ['version'], { timeout: 30_000 }).catch((error: unknown) => {
    throw new S3ServerMissingError(
      'it is built with Go (1.25 or newer), and the command `go` does not run. Install Go, or copy the folder from a machine that has built it',
      { cause: error },
    );
  });
}

function placesIn(cacheDir: string): Record<'folder' | 'binary' | 'marker', string> {
  const folder = join(resolve(cacheDir), 's3', `versitygw-${S3_SERVER_VERSION}`);
  return { folder, binary: join(folder, 'versitygw'), marker: join(folder, 'complete') };
}

async function build(folder: string, binary: string, signal?: AbortSignal): Promise<void> {
  const target = await mkdtemp(join(folder, 'go-'));
  try {
    await goInstall(target, signal);
    await rename(join(target, 'versitygw'), binary);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

function goInstall(target: string, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('go', ['install', ...BUILD_FLAGS, `${S3_SERVER_MODULE}@${S3_SERVER_VERSION}`], {
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
    child.once('close', (code, signal) => {
      if (code === 0) return done();
      fail(new S3ServerMissingError(`go install ended with ${signal ?? code}: ${output.trim()}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
