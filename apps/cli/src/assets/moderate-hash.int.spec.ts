import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSETS_MIGRATIONS, AssetsModule } from '@heddle/assets';
import { readSettings, ServiceProcess } from '@heddle/composition';
import { portsOf, serveAdminApi } from '@heddle/composition/admin-api';
import { MODERATION_PORT } from '@heddle/contracts-messages';
import { DirectoryBlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';

const HASH = `blake3:${'ab'.repeat(32)}`;
const TOKEN = 'an-admin-token-of-a-test';

describe('the commands of moderation', () => {
  let folder: string;
  let db: TestDatabase;
  let app: INestApplicationContext;
  let service: ServiceProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-moderation-'));
    db = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    const store = await DirectoryBlobStore.open(folder);
    const settings = { sweepIntervalMs: 0, jobEventLookMs: 0 };
    const module = AssetsModule.register({ database: db.database, store, imports: [jobsServiceFake()], settings });
    app = await NestFactory.createApplicationContext(module, { logger: false });
    service = new ServiceProcess('gateway', readSettings({ HEDDLE_PORT: '0', HEDDLE_LOG_LEVEL: 'error' }));
    await service.serveOps();
    await serveAdminApi(service, TOKEN, portsOf(app, [MODERATION_PORT]));
    env = { HEDDLE_ADMIN_URL: new URL(service.healthUrl!).origin, HEDDLE_ADMIN_TOKEN: TOKEN };
  });
  afterAll(async () => {
    await service.stop();
    await app.close();
    await db.drop();
    await rm(folder, { recursive: true });
  });
  const verdict = async (command: string): Promise<unknown> => {
    const { code, out, err } = await heddleInProcess(['assets', command, HASH, '--json'], env);
    if (code !== 0) throw new Error(`exit ${code}: ${out}${err}`);
    return JSON.parse(out) as unknown;
  };

  it('print hash, block, hold, source and time, for hashes that nobody has uploaded too', async () => {
    const nothing = { hash: HASH, blocked: false, held: false, source: null, decided_at: null };
    expect(await verdict('verdict')).toEqual(nothing);
    const decided = { hash: HASH, source: 'admin', decided_at: expect.stringMatching(/^\d{4}-.*Z$/) as string };
    expect(await verdict('block')).toEqual({ ...decided, blocked: true, held: false });
    expect(await verdict('hold')).toEqual({ ...decided, blocked: true, held: true });
    expect(await verdict('unblock')).toEqual({ ...decided, blocked: false, held: true });
    const released = await verdict('release');
    expect(released).toEqual({ ...decided, blocked: false, held: false });
    expect(await verdict('verdict')).toEqual(released);
    const shown = await heddleInProcess(['assets', 'block', HASH], env);
    expect(shown.out).toMatch(/^blake3:[ab]{64} blocked, by admin at \d{4}-/);
  });

  it('take one hash', async () => {
    for (const words of [[], [HASH, HASH]]) {
      const { code, err } = await heddleInProcess(['assets', 'hold', ...words], env);
      expect([code, err]).toEqual([2, expect.stringContaining('takes one hash')]);
    }
    for (const word of ['photo.png', HASH.toUpperCase()]) {
      const { code, err } = await heddleInProcess(['assets', 'hold', word], env);
      expect([code, err]).toEqual([2, expect.stringContaining(`"${word}" is not a hash`)]);
    }
  });

  it('say that self-hosted has no moderation, whose admin API serves the registry alone', async () => {
    const selfHosted = await hostileServer(({ url }, response) =>
      url === '/admin/v1'
        ? sendJson(response, 200, {})
        : sendJson(response, 404, { error: { code: 'not_found', message: 'There is nothing here.' } }),
    );
    const { code, err } = await heddleInProcess(['assets', 'verdict', HASH], {
      HEDDLE_ADMIN_URL: selfHosted.url,
      HEDDLE_ADMIN_TOKEN: TOKEN,
    });
    await selfHosted.close();
    expect(code).toBe(1);
    expect(err).toBe(
      `heddle: the admin API at ${selfHosted.url} has no moderation\n` +
        '        the self-hosted surface has none: HEDDLE_SURFACE=managed and dedicated moderate assets\n',
    );
  });
});
