import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotStarted, startStandalone } from '@heddle/testing-standalone';
import type { StandaloneOptions } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const STACK = /\n\s+at /;
const NOWHERE = 'postgres://heddle:secret-of-nobody@127.0.0.1:9/heddle';

/** Output and exit code of a start that fails. */
async function refused(options: StandaloneOptions): Promise<{ readonly code: number | null; readonly said: string[] }> {
  try {
    await (await startStandalone(options)).stop();
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    expect(error.stderr).not.toMatch(STACK);
    expect(error.stderr).not.toContain('secret-of-nobody');
    return { code: error.ending.code, said: error.stderr.split('\n').filter((line) => line.startsWith('heddle: ')) };
  }
  throw new Error('it started');
}

describe('a start that cannot succeed says why in one sentence, without a stack', () => {
  let place: string;
  let busy: Server;
  let busyOps: Server;
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const listening = async (): Promise<Server> => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return server;
  };
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'heddle-refused-'));
    // Where the database's own user cannot enter, its files lie elsewhere.
    chmodSync(place, 0o711);
    [busy, busyOps] = [await listening(), await listening()];
  });
  afterAll(() => {
    busy.close();
    busyOps.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('where settings are wrong: all of them at once', async () => {
    const env = { HEDDLE_LEASE_S: 'soon', HEDDLE_WORKERS: '-1', HEDDLE_WORKRES: '2', HEDDLE_DATA: place };
    const { code, said } = await refused({ env, dataDir: place });
    expect(code).toBe(2);
    expect(said).toEqual([
      'heddle: unknown setting HEDDLE_WORKRES, ignored; did you mean HEDDLE_WORKERS?',
      expect.stringMatching(/^heddle: HEDDLE_(LEASE_S|WORKERS) must be .* not "(soon|-1)"$/),
      expect.stringMatching(/^heddle: HEDDLE_(LEASE_S|WORKERS) must be .* not "(soon|-1)"$/),
    ]);
  });

  it('where both ports are taken: the public one first, with who holds it', async () => {
    const env = { HEDDLE_OPS_PORT: String(portOf(busyOps)) };
    const { code, said } = await refused({ env, port: portOf(busy), dataDir: place });
    expect(code).toBe(2);
    const holder = process.platform === 'linux' ? `process ${process.pid} \\(` : 'another process';
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^heddle: port ${portOf(busy)} is in use by ${holder}.* set HEDDLE_PORT to `)),
      expect.stringMatching(
        new RegExp(`^heddle: port ${portOf(busyOps)} is in use by ${holder}.* set HEDDLE_OPS_PORT to `),
      ),
    ]);
  });

  it.each([
    [
      'cannot be reached',
      NOWHERE,
      1,
      /^heddle: The database of HEDDLE_DATABASE_URL cannot be used: nothing listens at 127\.0\.0\.1:9 \(ECONNREFUSED\)\. Start it/,
    ],
    ['has no password', 'postgres://heddle@127.0.0.1:9/heddle', 2, /^heddle: HEDDLE_DATABASE_URL has no password: /],
    ['is no URL', 'nowhere', 2, /^heddle: HEDDLE_DATABASE_URL is not a URL, such as postgres:/],
  ])('where the database %s', async (_, url, code, text) => {
    const found = await refused({ env: { HEDDLE_DATABASE_URL: url }, dataDir: place });
    expect(found).toEqual({ code, said: [expect.stringMatching(text)] });
  });

  it('where the data folder is a file, or holds no database although Heddle made one', async () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    expect(await refused({ dataDir: file })).toEqual({
      code: 2,
      said: [
        `heddle: The data directory ${file} cannot be used: ${file} is a file, not a folder. Choose another with HEDDLE_DATA.`,
      ],
    });
    const foreign = join(place, 'foreign');
    execFileSync('mkdir', ['-p', join(foreign, 'postgres', '18')]);
    expect(await refused({ dataDir: foreign })).toEqual({
      code: 1,
      said: expect.arrayContaining([expect.stringMatching(/^heddle: The embedded PostgreSQL in .*foreign/)]) as unknown,
    });
  });
});
