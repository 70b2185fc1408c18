import { copyRows } from '@heddle/platform-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from './fresh-database.js';

describe('rows that are copied', () => {
  let db: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    db = await freshDatabase();
    client = new pg.Client({ connectionString: db.ownerUrl, query_timeout: 20_000 });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await db.drop();
  });

  it('have instants in ISO form, also those that no Date holds', async () => {
    const instants = [
      '2026-11-23 11:20:00.123Z',
      '2026-11-23 11:20:00.007Z',
      '1969-12-31 23:59:59.999Z',
      'infinity',
      '-infinity',
    ];
    const seen: string[] = [];
    const values = instants.map((instant) => `(timestamptz '${instant}')`).join(', ');
    await copyRows(client, `select * from (values ${values}) v`, (row) => seen.push(row.instant(0)));
    expect(seen).toEqual([
      '2026-11-23T11:20:00.123Z',
      '2026-11-23T11:20:00.007Z',
      '1969-12-31T23:59:59.999Z',
      'infinity',
      '-infinity',
    ]);
  });

  it('have the values of their columns, and nulls', async () => {
    const seen: unknown[] = [];
    const text = `select 7::int, -2::smallint, 9007199254740993::bigint, true, 'zwölf', null::text, ''::text, '\\x00ff'::bytea,
      '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10'::uuid, timestamptz '2026-11-23 11:20:00.123Z',
      -9007199254740991::bigint, 4294967296::bigint`;
    const rows = await copyRows(client, text, (row) => {
      const nulls = [row.isNull(5), row.isNull(6)];
      seen.push(row.int32(0), row.int16(1), row.int64(2), row.flag(3), row.text(4), nulls, row.text(6));
      seen.push([...row.bytes(7)], row.key(7), row.uuid(8), new Date(row.milliseconds(9)).toISOString());
      seen.push(row.integer(10), row.integer(11));
    });
    expect(rows).toBe(1);
    expect(seen).toEqual([
      7,
      -2,
      9_007_199_254_740_993n,
      true,
      'zwölf',
      [true, false],
      '',
      [0, 255],
      '\u0000ÿ',
      '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
      '2026-11-23T11:20:00.123Z',
      Number.MIN_SAFE_INTEGER,
      2 ** 32,
    ]);
  });

  it('give their bytes as hex digits, few or many', async () => {
    const target = Buffer.alloc(2_010, '-');
    const text = `select '\\x00ff'::bytea, null::bytea, decode(repeat('a1', 1000), 'hex')`;
    let [end, isLong] = [0, false];
    await copyRows(client, text, (row) => {
      end = row.hex(2, target, row.hex(1, target, row.hex(0, target, 1)));
      isLong = target.toString('latin1', 5, end) === 'a1'.repeat(1_000);
    });
    expect([target.toString('latin1', 0, 5), isLong, end, target.toString('latin1', end)]).toEqual([
      '-00ff',
      true,
      2_005,
      '-----',
    ]);
  });

  it('come all, in order, and none where there is none', async () => {
    let sum = 0;
    expect(await copyRows(client, 'select generate_series(1, 100000)', (row) => (sum += row.int32(0)))).toBe(100_000);
    expect(sum).toBe(5_000_050_000);
    expect(await copyRows(client, 'select 1 where false', () => (sum = -1))).toBe(0);
    expect(sum).toBe(5_000_050_000);
  });

  it('end with what their taker throws, or the server says, and the connection goes on', async () => {
    const taker = (): void => {
      throw new Error('enough');
    };
    await expect(copyRows(client, 'select generate_series(1, 1000)', taker)).rejects.toThrow('enough');
    await expect(copyRows(client, 'select 1 / (3 - n) from generate_series(1, 5) n', () => undefined)).rejects.toThrow(
      'division by zero',
    );
    await expect(copyRows(client, 'select nothing', () => undefined)).rejects.toThrow('does not exist');
    expect((await client.query<{ n: number }>('select 1 as n')).rows).toEqual([{ n: 1 }]);
  });

  it('end with the connection', async () => {
    const other = new pg.Client(db.ownerUrl);
    other.on('error', () => undefined);
    await other.connect();
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    // The query's end may arrive before the answer to the query that cancels it.
    const ended = expect(copyRows(other, 'select pg_sleep(60)', () => undefined)).rejects.toThrow(/terminat/);
    await client.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    await ended;
  });
});
