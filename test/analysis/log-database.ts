import pg from 'pg';

/** One statement on a connection of its own. */
export async function query<Row extends object>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The last number of the log. */
export async function lastSeq(url: string): Promise<bigint> {
  const [row] = await query<{ seq: string }>(url, 'select seq from jobs.seq_cursor');
  return BigInt(row!.seq);
}
