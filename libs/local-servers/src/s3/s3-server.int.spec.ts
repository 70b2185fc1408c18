import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GoProgramMissingError } from '../go-program.js';
import { checkS3Server, installS3Server } from './install-s3-server.js';
import { S3Process } from './s3-process.js';

describe('without the S3 server', () => {
  let folder: string;
  const path = process.env['PATH'];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-s3-'));
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true });
  });

  it('and without Go says so, and leaves nothing behind', async () => {
    process.env['PATH'] = folder;
    await expect(installS3Server(folder)).rejects.toBeInstanceOf(GoProgramMissingError);
    await expect(checkS3Server(folder)).rejects.toThrow(/Install Go/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('builds it once however many ask, and again where a build was cut short', async () => {
    // A fake compiler, so that the protocol around it takes milliseconds.
    const calls = join(folder, 'calls');
    const go = `#!/bin/sh\nif [ "$1" = version ]; then exit 0; fi\necho call >> ${calls}\nsleep 0.2\necho binary > "$GOBIN/versitygw"\n`;
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'go'), go, { mode: 0o755 });
    process.env['PATH'] = `${join(folder, 'bin')}:${path}`;
    const cache = join(folder, 'cache');
    const dead = join(cache, 's3', 'versitygw-v1.7.0');
    await mkdir(dead, { recursive: true });
    // Leftovers of a killed builder: its lock, and a folder without the marker.
    await writeFile(join(dead, 'building'), '999999999');
    const built = await Promise.all([installS3Server(cache), installS3Server(cache), installS3Server(cache)]);
    expect(new Set(built).size).toBe(1);
    expect((await readdir(folder)).includes('calls')).toBe(true);
    expect(await readFile(calls, 'utf8')).toBe('call\n');
    expect((await readdir(dead)).sort()).toEqual(['complete', 'versitygw']);
  });

  it('fails at once, with the end of its log, when the process ends at its start', async () => {
    const binary = join(folder, 'fails');
    await writeFile(binary, '#!/bin/sh\necho "no such backend" >&2\nexit 3\n', { mode: 0o755 });
    const logFile = join(folder, 'server.log');
    const options = { binary, port: 1, objectsDir: folder, logFile, accessKey: 'a', secretKey: 'b', region: 'r' };
    const started = Date.now();
    await expect(S3Process.start(options)).rejects.toThrow(/no such backend/);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
