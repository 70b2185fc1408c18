import type { AbstractSqlDriver } from '@mikro-orm/postgresql';
import { patiently } from './patiently.js';
import type { OnlineIndex, OnlineStep } from './schema-migrations.js';

/** Each statement runs alone, outside of any transaction block, with its own retries on locks. */
export async function runOnline(
  driver: AbstractSqlDriver,
  schema: string,
  { name, online }: OnlineStep,
): Promise<void> {
  const execute = async (sql: string): Promise<number> =>
    await patiently(
      `step ${schema}/${name}`,
      async () => (await driver.execute<{ affectedRows: number }>(sql, [], 'run')).affectedRows,
    );
  for (const part of online) {
    if ('index' in part) await makeIndex(driver, schema, part, execute);
    else if ('batch' in part) while ((await execute(part.batch)) > 0);
    else await execute(part.sql);
  }
}

/** An interrupted `create index concurrently` leaves an invalid index, which costs writes and serves no query. */
async function makeIndex(
  driver: AbstractSqlDriver,
  schema: string,
  { index, sql }: OnlineIndex,
  execute: (sql: string) => Promise<number>,
): Promise<void> {
  const state = async (): Promise<boolean | undefined> => {
    const rows: readonly { indisvalid: boolean }[] = await driver.execute(
      `select i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relname = ? and c.relnamespace = to_regnamespace(?)`,
      [index, schema],
    );
    return rows[0]?.indisvalid;
  };
  await patiently(`index ${schema}.${index}`, async () => {
    const isValid = await state();
    if (isValid === true) return;
    if (isValid === false) await execute(`drop index concurrently ${schema}.${index}`);
    await driver.execute(sql, [], 'run');
  });
  if ((await state()) !== true)
    throw new Error(`The statement of index ${schema}.${index} creates no index of that name.`);
}
