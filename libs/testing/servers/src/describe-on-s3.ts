import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkS3Server, startS3Server } from '@heddle/local-servers';
import type { RunningS3 } from '@heddle/local-servers';

/** Kept between runs, ignored by git. */
const CACHE_DIR = fileURLToPath(new URL('../../../../.cache', import.meta.url));
/** No name server knows it: clients send the name to the server's address. */
const VIRTUAL_DOMAIN = 's3.test';
const FIRST_BUILD_MS = 900_000;

/**
 * A suite on a real S3 server of its own, returned by `server()` while the tests run. Without the server and without Go
 * to build it the suite fails, or is reported as skipped with ALLOW_SKIP=1.
 */
export function describeOnS3(name: string, tests: (server: () => RunningS3) => void): void {
  describe(name, async () => {
    const missing = process.env['ALLOW_SKIP'] === '1' ? await reasonAgainst() : null;
    if (missing !== null) {
      it('runs on a real S3 server', ({ skip }) => skip(missing));
      return;
    }
    let folder: string | undefined;
    let server: RunningS3 | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'heddle-s3-'));
      server = await startS3Server({ cacheDir: CACHE_DIR, dataDir: folder, virtualDomain: VIRTUAL_DOMAIN });
    }, FIRST_BUILD_MS);
    afterAll(async () => {
      await server?.kill();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });
    tests(() => {
      if (server === undefined) throw new Error('the S3 server of a suite runs while its tests do');
      return server;
    });
  });
}

async function reasonAgainst(): Promise<string | null> {
  return checkS3Server(CACHE_DIR).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
