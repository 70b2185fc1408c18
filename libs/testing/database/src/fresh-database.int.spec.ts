import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from './index.js';

const migrations = [
  {
    schema: 'sample',
    role: 'heddle_sample',
    migrations: [
      {
        name: '0001-note',
        up: 'create table sample.note (at timestamptz not null); grant select, insert on sample.note to heddle_sample;',
      },
    ],
  },
];

describe('a fresh database', () => {
  let one: TestDatabase;
  let two: TestDatabase;
  beforeAll(async () => {
    [one, two] = await Promise.all([freshDatabase({ migrations }), freshDatabase({ migrations })]);
  });
  afterAll(async () => {
    await Promise.all([one.drop(), two.drop()]);
  });

  it('is seen by nobody else', async () => {
    await one.pool('heddle_sample').query('insert into sample.note values (heddle.clock_now())');
    const { rows } = await two.pool('heddle_sample').query('select * from sample.note');
    expect(rows).toEqual([]);
  });

  it('moves its clock for prepared statements of open sessions too', async () => {
    const client = await one.pool('heddle_sample').connect();
    const query = {
      name: 'clock',
      text: 'select extract(epoch from heddle.clock_now() - clock_timestamp())::float8 as ahead',
    };
    const ahead = async (): Promise<number> =>
      (await client.query<{ ahead: number }>(query)).rows[0]?.ahead ?? Number.NaN;
    expect(await ahead()).toBeCloseTo(0, 1);
    await one.advanceClock(3_600_000);
    expect(await ahead()).toBeCloseTo(3600, 1);
    await one.advanceClock(-7_200_000);
    expect(await ahead()).toBeCloseTo(-3600, 1);
    client.release();
  });

  it('lets no service role move the clock', async () => {
    await expect(
      one
        .pool('heddle_sample')
        .query(`create or replace function heddle.clock_now() returns timestamptz language sql as 'select now()'`),
    ).rejects.toThrow(/permission denied|must be owner/);
  });
});
