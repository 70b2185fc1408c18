import { Readable } from 'node:stream';
import type { CommittedOutput, Principal } from '@heddle/contracts-messages';
import { isOutage } from '@heddle/platform-database';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS, ASSETS_ROLE } from '../assets-schema/assets-migrations.js';
import { ObjectRemover } from '../collect-blobs/object-remover.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';

describe('an output whose commit got no answer', () => {
  let database: TestDatabase;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await database.owner.query('truncate assets.asset, assets.blob, assets.hold, assets.upload, assets.delete_task');
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Breaks the connection at each commit of an output, after or instead of its execution. */
  const losingCommits = (carriedOut: boolean): { pool(role: string): pg.Pool } => {
    const client = (inner: pg.PoolClient): pg.PoolClient =>
      new Proxy(inner, {
        get: (target, name) => {
          if (name !== 'query') return Reflect.get(target, name, target) as unknown;
          return async (query: pg.QueryConfig) => {
            if (query.name !== 'assets.commit_output') return target.query(query);
            if (carriedOut) await target.query(query);
            throw new Error('the driver says something else');
          };
        },
      });
    const pool = new Proxy(database.database.pool(ASSETS_ROLE), {
      get: (target, name) => {
        if (name === 'connect') return async () => client(await target.connect());
        if (name === 'query') return (query: pg.QueryConfig) => target.query(query);
        return Reflect.get(target, name, target) as unknown;
      },
    });
    return { pool: () => pool };
  };
  const store = (under: AssetsUnderTest, principal: Principal = alice): Promise<CommittedOutput> =>
    under.worker.commitOutput(under.leases.lend(principal), {
      key: '9/images/0',
      name: 'out.png',
      type: 'image',
      contentType: 'image/png',
      body: Readable.from([Buffer.from('an output')]),
    });
  /** As if every lease had expired. */
  const sweep = async (under: AssetsUnderTest): Promise<void> => {
    await under.get(UploadSweeper).run(0);
    await under.get(ObjectRemover).run();
  };

  it('is the answer, and keeps its bytes, if it was committed', async () => {
    const under = await assetsUnderTest(losingCommits(true));
    const { assetId } = await store(under);
    await sweep(under);
    expect(await under.files()).toHaveLength(1);
    const { rows } = await under.pool.query<{ id: CommittedOutput['assetId'] }>('select id from assets.asset');
    expect(rows).toEqual([{ id: assetId }]);
    expect(codeOf(await under.assets.content(alice, assetId))).toBe('accepted');
    await under.end();
  });

  it('leaves its object to the sweeper if it was not committed', async () => {
    const under = await assetsUnderTest(losingCommits(false));
    const failure: unknown = await store(under).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'the outcome of a transaction is unknown' });
    expect(isOutage(failure), 'the worker waits').toBe(true);
    expect(await under.files()).toHaveLength(1);
    await sweep(under);
    expect(await under.files()).toEqual([]);
    await under.end();
  });

  it('leaves nothing if the database refused it', async () => {
    const under = await assetsUnderTest(database.database);
    const nobody = { ...alice, deploymentId: 'no uuid' } as unknown as Principal;
    await expect(store(under, nobody)).rejects.toThrow('invalid input syntax');
    expect(await under.files()).toEqual([]);
    await under.end();
    expect((await database.owner.query('select from assets.upload')).rowCount).toBe(0);
  });

  it('changes nothing after the sweeper has taken its intent, and removes its object', async () => {
    const under = await assetsUnderTest(database.database);
    const body = new Readable({ read: () => undefined });
    const output = { key: 'k', name: 'late.png', type: 'image', contentType: 'image/png', body } as const;
    const late = under.worker.commitOutput(under.leases.lend(alice), output);
    // Large enough that writing starts before its end.
    body.push(Buffer.alloc(2 * 1024 * 1024));
    await expect.poll(() => under.files(), { timeout: 10_000 }).toHaveLength(1);
    await under.get(UploadSweeper).run(0);
    body.push(null);
    await expect(late).rejects.toThrow('swept before its bytes were committed');
    expect(await under.files()).toEqual([]);
    expect((await under.pool.query('select from assets.asset')).rowCount).toBe(0);
    expect(codeOf(await under.assets.content(alice, (await store(under)).assetId))).toBe('accepted');
    await under.end();
  });
});
