import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { saveToken } from './saved-tokens.js';

const KEY = 'the-credential-of-the-service';
const TOKEN = PUBLISHER_TOKEN.format('a'.repeat(16), 'b'.repeat(43));

describe('HEDDLE_TOKEN and a registry', () => {
  const sent: (string | undefined)[] = [];
  const servers: Server[] = [];
  let home: string;
  /** Answers 401 to everything, and keeps what it was sent. */
  const listening = async (): Promise<string> => {
    const server = createServer(({ headers }, response) => {
      sent.push(headers.authorization);
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'unauthorized', message: 'No.' }));
    });
    servers.push(server);
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let service: string;
  let other: string;

  beforeAll(async () => {
    [service, other] = [await listening(), await listening()];
  });
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
    sent.length = 0;
    return () => rm(home, { recursive: true });
  });
  afterAll(() => servers.map((server) => server.close()));

  const list = async (words: readonly string[], env: Record<string, string> = {}) =>
    await heddleInProcess(['registry', 'tokens', 'acme', ...words], {
      ...{ HOME: home, HEDDLE_URL: service, HEDDLE_TOKEN: KEY },
      ...env,
    });

  it('goes to the registry of the service, wherever that is below its origin', async () => {
    await list([]);
    await list(['--registry', `${service}/packages`]);
    expect(sent).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it('goes to the one that the environment names beside it', async () => {
    await list([], { HEDDLE_REGISTRY_URL: other });
    await list(['--registry', other], { HEDDLE_REGISTRY_URL: other });
    expect(sent).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it('goes to one that the user has logged in to', async () => {
    await saveToken({ HOME: home }, `${other}/reg`, 'acme', TOKEN);
    await list(['--registry', `${other}/reg/`]);
    await list(['--registry', `${other}/else`]);
    expect(sent).toEqual([`Bearer ${KEY}`, undefined]);
  });

  it.each([
    ['HEDDLE_TOKEN', KEY],
    ['HEDDLE_STATIC_TOKEN', KEY],
    ['HEDDLE_TOKEN', TOKEN],
  ])('does not go to one that only the command line names (%s)', async (name, value) => {
    const { code, err } = await list(['--registry', other], { HEDDLE_TOKEN: '', [name]: value });
    expect([code, sent]).toEqual([1, [undefined]]);
    expect(err).toContain(`HEDDLE_TOKEN was not sent to ${other}, which nothing but --registry names`);
    expect(err).not.toContain(value);
  });

  it('leaves --token as it is: that is meant for this very call', async () => {
    await list(['--registry', other, '--token', 'for-the-other']);
    expect(sent).toEqual(['Bearer for-the-other']);
  });
});
