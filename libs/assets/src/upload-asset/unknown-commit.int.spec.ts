import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS, ASSETS_ROLE } from '../assets-schema/assets-migrations.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';

describe('an upload whose commit got no answer', () => {
  let database: TestDatabase;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Loses the answer of every COMMIT, after or instead of its execution; the first lookups fail as well. */
  const losingCommits = (carriedOut: boolean, failedLookUps: number): { pool(role: string): pg.Pool } => {
    const real = database.pool(ASSETS_ROLE);
    const lost = (): Promise<never> => Promise.reject(new Error('Connection terminated unexpectedly'));
    const client = (inner: pg.PoolClient): pg.PoolClient =>
      new Proxy(inner, {
        get: (target, name) => {
          if (name !== 'query') return Reflect.get(target, name, target) as unknown;
          return async (text: string | pg.QueryConfig) => {
            if (text !== 'commit') return target.query(text as pg.QueryConfig);
            await target.query(carriedOut ? 'commit' : 'rollback');
            return lost();
          };
        },
      });
    const pool = new Proxy(real, {
      get: (target, name) => {
        if (name === 'connect') return async () => client(await target.connect());
        if (name === 'query') {
          return (query: pg.QueryConfig) =>
            query.name === 'assets.find_minted' && failedLookUps-- > 0 ? lost() : target.query(query);
        }
        return Reflect.get(target, name, target) as unknown;
      },
    });
    return { pool: () => pool };
  };

  it('is answered from the database once that answers', async () => {
    const under = await assetsUnderTest(losingCommits(true, 2));
    const minted = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: 'carried out' })));
    expect(codeOf(await under.assets.content(alice, minted.asset.id))).toBe('accepted');
    await under.end();
  });

  it('is an upstream_error if nothing was committed: no key is claimed, the object waits for the sweeper', async () => {
    const under = await assetsUnderTest(losingCommits(false, 0));
    const upload = sampleRequest({ bytes: 'undone', idempotencyKey: 'undone' });
    expect(codeOf(await under.assets.upload(alice, upload))).toBe('upstream_error');
    expect(await under.files()).toHaveLength(1);
    const { rows } = await under.pool.query('select from assets.idempotency_key');
    expect(rows).toEqual([]);
    await under.end();
  });

  it('keeps its bytes and its key if it was committed and the database does not answer', async () => {
    const under = await assetsUnderTest(losingCommits(true, 4));
    const upload = sampleRequest({ bytes: 'in doubt', idempotencyKey: 'in doubt' });
    expect(codeOf(await under.assets.upload(alice, upload))).toBe('upstream_error');
    const honest = await assetsUnderTest(database.database);
    await honest.get(UploadSweeper).run(0);
    expect(await under.files()).toHaveLength(1);
    const again = sampleRequest({ bytes: 'in doubt', idempotencyKey: 'in doubt' });
    expect(codeOf(await honest.assets.upload(alice, again))).toBe('idempotency_key_reuse');
    await honest.end();
    await under.end();
  });
});
