import { createHash } from 'node:crypto';
import { nodePackage } from '@heddle/testing-registry';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';
import { UploadUrls } from '../sign-versions/upload-url.js';

const AT_ONCE = 6;
const ROUNDS = 8;

describe(`uploads at once (seed ${seed})`, () => {
  let registry: ManagedRegistry;
  let token: string;
  const random = new Random(seed);
  /** Up to some milliseconds, so that the order of the two differs between rounds. */
  const aMoment = async (maxMs = 12): Promise<void> => {
    await new Promise((done) => setTimeout(done, random.below(maxMs)));
  };
  const told = ({ status, body }: Answered): string => `${status} ${body.error ?? ''}`.trim();

  beforeAll(async () => {
    console.log(`seed ${seed}`);
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const opened = async (node: string): Promise<string> =>
    (await registry.publish('acme', node, '1.0.0', token)).body.signedUrl as string;
  const put = async (url: string, bytes: Buffer): Promise<string> => told(await registry.call('PUT', url, '', bytes));
  const count = async (table: string): Promise<number> =>
    (await registry.database.owner.query<{ n: number }>(`select count(*)::int as n from registry.${table}`)).rows[0]!.n;
  const storedObjects = async (): Promise<number> => {
    let found = 0;
    for await (const _ of registry.store.list()) found += 1;
    return found;
  };

  it('to one URL: one is stored, the others are 409 and leave nothing', async () => {
    const url = await opened('pack-one');
    const all = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => nodePackage([`Class${at}`])));
    const [before, uploads] = [await storedObjects(), await count('upload')];
    const answers = await Promise.all(
      all.map(async (bytes) => {
        await aMoment();
        return await put(url, bytes);
      }),
    );
    expect(answers.toSorted()).toEqual(['200', ...Array.from({ length: AT_ONCE - 1 }, () => '409 already_uploaded')]);
    const { body } = await registry.call('GET', '/nodes/pack-one/versions/1.0.0', token);
    const winner = all[answers.indexOf('200')]!;
    expect(body.sha256).toBe(createHash('sha256').update(winner).digest('hex'));
    expect([await storedObjects(), await count('upload')]).toEqual([before + 1, uploads]);
  });

  it('with another publish: either the bytes count or the newer URL does, never both', async () => {
    const bytes = await nodePackage();
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const node = `pack-again-${'qwertzui'[round]}`;
      const url = await opened(node);
      const [upload, publish] = await Promise.all([
        aMoment().then(() => put(url, bytes)),
        aMoment(400).then(() => registry.publish('acme', node, '1.0.0', token)),
      ]);
      const pair = `${upload}, ${told(publish)}`;
      expect(['200, 409 version_exists', '403 invalid_signature, 201']).toContain(pair);
      seen.add(pair);
      if (publish.status === 201) expect(await put(publish.body.signedUrl as string, bytes)).toBe('200');
    }
    console.log([...seen].join('; '));
  });

  it('with a ban of the node: no bytes are stored after the ban', async () => {
    const bytes = await nodePackage();
    for (let round = 0; round < ROUNDS; round += 1) {
      const node = `pack-ban-${'qwertzui'[round]}`;
      const url = await opened(node);
      const [upload] = await Promise.all([
        aMoment().then(() => put(url, bytes)),
        aMoment(400).then(() => registry.admin.ban({ nodeId: node }, 'race')),
      ]);
      expect(['200', '403 node_banned']).toContain(upload);
      const { rows } = await registry.database.owner.query<{ types: string[] }>(
        `select array_agg(type order by position) as types from registry.event
         where type in ('VersionUploaded', 'NodeBanned') and stream_id in (
           select stream_id from registry.node where node_key = $1
           union select version_id from registry.version where node_key = $1)`,
        [node],
      );
      expect(rows[0]!.types).toEqual(upload === '200' ? ['VersionUploaded', 'NodeBanned'] : ['NodeBanned']);
    }
  });

  it('to an expired URL are 403, and to one that is not expired are taken', async () => {
    const answer = await registry.publish('acme', 'pack-late', '1.0.0', token);
    const permit = { versionId: answer.body.node_version.id as string, upload: 1 };
    const urls = registry.app.get(UploadUrls);
    const origin = new URL(answer.body.signedUrl as string).origin;
    const bytes = await nodePackage();
    const lifeMs = 900_000;
    expect(await put(origin + urls.target(permit, Date.now() - lifeMs - 1_000), bytes)).toBe('403 invalid_signature');
    expect(await put(origin + urls.target(permit, Date.now() - lifeMs + 60_000), bytes)).toBe('200');
  });
});
