import { eventually, send, textOf } from '@heddle/testing-api';
import { newId, nodePackage, RegistryClient, RegistryPublisher } from '@heddle/testing-registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabase } from '../api/database.js';
import { Canary } from './canary.js';
import { startKeyed } from './keyed-heddle.js';
import type { KeyedHeddle } from './keyed-heddle.js';

/** `hdr_<id>_<secret>_<checksum>` */
const secretOf = (token: string): string => token.split('_')[2]!;

describe('a sweep for tokens of publishers and the key of their account', () => {
  const said: string[] = [];
  /** In the name of a token, where the sweep must find it. */
  const decoy = new Canary();
  const node = newId('swept');
  let heddle: KeyedHeddle;
  let acme: RegistryPublisher;
  let tokens: readonly string[];
  let canaries: readonly Canary[];

  beforeAll(async () => {
    heddle = await startKeyed({ HEDDLE_LOG_LEVEL: 'debug', HEDDLE_WORKERS: '0', HEDDLE_READ_RATE: '1000' });
    const key = await heddle.keyOf('acme');
    const account = await RegistryClient.connect(`${heddle.url}/registry`, key);
    acme = await RegistryPublisher.create(account);
    const revoked = await acme.newToken({ name: decoy.text });
    await account.send('DELETE', `/publishers/${acme.id}/tokens/${revoked.id}`);
    const spare = await acme.newToken({ name: decoy.text });
    tokens = [acme.token, revoked.token, spare.token];
    canaries = [...tokens, key].map((credential) => new Canary(secretOf(credential)));
  }, 120_000);
  afterAll(() => heddle.stop());

  async function ask(method: string, target: string, bearer: string | null, body?: unknown): Promise<number> {
    const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const more = body === undefined ? {} : { body: text! };
    const answer = await send(heddle.url, { method, target, headers, ...more });
    said.push(`${method} ${JSON.stringify(answer.headers)} ${textOf(answer)}`);
    return answer.status;
  }

  it('works with each of them in every right and wrong place', async () => {
    const versions = `/registry${acme.path(node, '/versions')}`;
    const bodyOf = (token: unknown, more: object = {}): object => ({
      node: {},
      node_version: { version: '1.0.0' },
      personal_access_token: token,
      ...more,
    });
    await acme.released(node, '1.0.0', await nodePackage(['Swept']));
    const { signedUrl } = await acme.published(node, '2.0.0');
    const upload = signedUrl.slice(heddle.url.length);
    for (const token of tokens) {
      const isGood = token !== tokens[1];
      expect(await ask('POST', versions, null, bodyOf(token))).toBe(isGood ? 409 : 401);
      expect(await ask('POST', versions, null, bodyOf([token]))).toBe(401);
      expect(await ask('POST', versions, null, bodyOf(`${token.slice(0, -1)}x`))).toBe(401);
      expect(await ask('POST', versions, token, bodyOf(undefined))).toBe(isGood ? 400 : 401);
      expect(await ask('POST', versions, null, `{"personal_access_token": "${token}",`)).toBe(400);
      const wrong = bodyOf(token, { node: { tags: 7 }, node_version: { version: 'x' } });
      expect(await ask('POST', versions, null, wrong)).toBe(isGood ? 400 : 401);
      // As bearer: where it counts, and where an account is asked.
      expect(await ask('GET', `/registry/nodes/${node}/versions`, token)).toBe(isGood ? 200 : 401);
      expect(await ask('PUT', `${versions}/1.0.0`, token, { changelog: 'c' })).toBe(isGood ? 200 : 401);
      expect(await ask('GET', `/registry/publishers/${acme.id}/tokens`, token)).toBe(401);
      expect(await ask('POST', '/registry/publishers', token, { id: newId('p'), name: 'x' })).toBe(401);
      expect(await ask('PUT', upload, token, 'no archive')).toBe(400);
      expect(await ask('GET', '/api/v2/jobs', token)).toBe(401);
      // In the target of a request it is refused before anything reads it.
      for (const target of [
        `/registry/nodes?search=${token}`,
        `/registry/nodes/search?search=x&personal_access_token=${token}`,
        `/registry/nodes/${token}`,
        `/registry/publishers/${acme.id}/tokens/${token}`,
        `/api/v2/jobs?token=${token}`,
      ]) {
        expect(await ask('GET', target, null), target.split('?')[0]).toBe(400);
      }
    }
  });

  it('finds them in no answer, log line, metric or answer of the admin API', async () => {
    for (const path of [`registry/nodes/${node}/events`, 'registry/queue', 'accounts/acme', 'keys?account=acme']) {
      said.push(JSON.stringify(await heddle.admin('GET', path)));
    }
    const listed = await acme.owner.get(`/publishers/${acme.id}/tokens`);
    said.push(textOf(listed), textOf(await acme.anyone.get('/changes')));
    for (const target of ['/metrics', '/readyz']) {
      said.push(textOf(await send(heddle.opsUrl, { method: 'GET', target })));
    }
    said.push(heddle.stdout(), heddle.stderr());
    for (const canary of canaries) expect(said.filter((text) => canary.isIn(text))).toEqual([]);
    expect(said.filter((text) => decoy.isIn(text)).length).toBeGreaterThan(0);
  });

  it('finds them in no table and no file, only the digests of the tokens', { timeout: 60_000 }, async () => {
    await eventually('the numbers of all events', () =>
      withDatabase(heddle.dataDir, async (client) => {
        const { rows } = await client.query<{ n: string }>(
          'select (select count(*) from registry.event) - (select count(*) from registry.event_seq) as n',
        );
        return Number(rows[0]!.n) === 0;
      }),
    );
    for (const canary of canaries) {
      const [tables, files] = [await canary.tables(heddle.dataDir), await canary.files(heddle.dataDir)];
      expect([tables.hits, files.hits]).toEqual([[], []]);
    }
    expect((await decoy.tables(heddle.dataDir)).hits).toContain('registry.token');
    expect((await decoy.files(heddle.dataDir)).hits.join()).toMatch(/pg_wal/);
    const digests = await withDatabase(heddle.dataDir, async (client) => {
      const { rows } = await client.query<{ size: number }>('select octet_length(digest) as size from registry.token');
      return rows.map(({ size }) => size);
    });
    expect(digests).toEqual([32, 32, 32]);
  });
});
