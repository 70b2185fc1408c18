import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import { JudgeTurns } from './judge-turns.js';

describe('an upload whose client leaves', () => {
  let registry: ManagedRegistry;
  let token: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const waiting = async (): Promise<number> => (await readdir(join(registry.folder, 'uploads')).catch(() => [])).length;

  it('is not judged, keeps nothing, and may come again', async () => {
    const { body } = await registry.publish('acme', 'pack', '1.0.0', token);
    const url = body.signedUrl as string;
    let release = (): void => undefined;
    const busy = new Promise<void>((done) => (release = done));
    const turns = registry.app.get(JudgeTurns);
    const { signal } = new AbortController();
    const others = [turns.run(() => busy, signal), turns.run(() => busy, signal)];

    try {
      const client = request(url, { method: 'PUT' });
      const cut = new Promise<void>((done) => client.once('close', done));
      client.on('error', () => undefined).end(Buffer.alloc(1_000));
      await registry.until(async () => (await waiting()) === 1);
      client.socket!.resetAndDestroy();
      await cut;
      // Both turns are still taken: nobody has looked at it.
      await registry.until(async () => (await waiting()) === 0);
    } finally {
      release();
    }
    await Promise.all(others);

    const path = '/nodes/pack/versions/1.0.0';
    const version = { status: 'NodeVersionStatusPending', size_bytes: 0, sha256: '' };
    expect((await registry.call('GET', path, token)).body).toMatchObject(version);
    expect((await registry.database.owner.query('select from registry.upload')).rowCount).toBe(0);
    expect((await registry.upload(url)).status).toBe(200);
    await registry.until(async () => (await registry.call('GET', path)).status === 200);
    expect(await waiting()).toBe(0);
  });

  it('gives its turn to the next one', async () => {
    const turns = new JudgeTurns();
    const seen: string[] = [];
    let release = (): void => undefined;
    const busy = new Promise<void>((done) => (release = done));
    const stays = new AbortController();
    const leaves = new AbortController();
    const work = (name: string) => () => Promise.resolve(void seen.push(name));
    const running = [turns.run(() => busy, stays.signal), turns.run(() => busy, stays.signal)];
    const left = turns.run(work('left'), leaves.signal);
    const next = turns.run(work('next'), stays.signal);
    leaves.abort();
    await expect(left).rejects.toThrow('aborted');
    release();
    await Promise.all([...running, next]);
    await expect(turns.run(work('late'), leaves.signal)).rejects.toThrow('aborted');
    await turns.run(work('last'), stays.signal);
    expect(seen).toEqual(['next', 'last']);
  });
});
