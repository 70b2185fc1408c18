import { newBlobKey } from '@heddle/platform-blob-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftWorkSql } from './left-work.sql.js';
import { ManagedRegistry } from './managed-registry.fixture.js';

describe('work that begins without a request', () => {
  let registry: ManagedRegistry;
  let token: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await registry.database.owner.query(sql, [...values])).rowCount;
  const isLeft = async (): Promise<boolean> => (await query(leftWorkSql)) === 1;

  it('is none in a registry without versions', async () => {
    expect(await isLeft()).toBe(false);
  });

  it('is a version without bytes, until they are inspected', async () => {
    const { body } = await registry.publish('acme', 'pack-a', '1.0.0', token);
    expect(await isLeft()).toBe(true);
    await registry.upload(body.signedUrl as string);
    await registry.until(async () => !(await isLeft()));
    await query("update registry.version set waits = true, blob = null where version = '1.0.0'");
    expect(await isLeft()).toBe(true);
    await query('update registry.version set waits = false');
    expect(await isLeft()).toBe(false);
  });

  it('is an upload that a crash cut off', async () => {
    const blob = newBlobKey();
    await query('insert into registry.upload (blob) values ($1)', [blob]);
    expect(await isLeft()).toBe(true);
    await query('delete from registry.upload where blob = $1', [blob]);
    expect(await isLeft()).toBe(false);
  });
});
