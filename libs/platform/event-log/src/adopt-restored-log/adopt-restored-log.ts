import type pg from 'pg';

/**
 * Makes a log that was restored into another server sequenceable again. Transaction ids belong to the old server; on a
 * younger one the ids of restored events lie in the future, so no new event would get a number. Numbered events get
 * transaction id 0, the others 1, so they come first, in stream order. Transaction ids are not part of the hash chain,
 * so the chain does not change.
 *
 * Run it as the owner while no service runs; it rewrites every row once. Returns the number of rewritten events; null if no
 * transaction id lies in the future, so that the log belongs to this server and nothing changes.
 */
export async function adoptRestoredLog(owner: pg.Pool, schema: string): Promise<number | null> {
  const client = await owner.connect();
  let broken = true;
  try {
    await client.query(
      `begin; lock table ${schema}.seq_cursor, ${schema}.event, ${schema}.event_seq in access exclusive mode`,
    );
    const ahead = await client.query<{ is_ahead: boolean }>(isAheadSql(schema));
    if (!ahead.rows[0]!.is_ahead) return null;
    await client.query(`alter table ${schema}.event disable trigger append_only;
      alter table ${schema}.event_seq disable trigger append_only`);
    const { rowCount } = await client.query(`
      update ${schema}.event e set txid = case when
        exists (select from ${schema}.event_seq s where s.position = e.position)
        or exists (select from ${schema}.event_held h where h.position = e.position) then '0'::xid8 else '1'::xid8 end`);
    await client.query(`update ${schema}.event_seq set txid = '0'; update ${schema}.event_held set txid = '0';
      update ${schema}.seq_cursor set txid = '0', epoch = epoch + 1, holder = '', lease_until = '-infinity',
        position = greatest((select coalesce(max(position), 0) from ${schema}.event_seq),
                            (select coalesce(max(position), 0) from ${schema}.event_held));
      update ${schema}.relay_cursor set holder = '', lease_until = '-infinity', epoch = epoch + 1`);
    await client.query(`alter table ${schema}.event enable trigger append_only;
      alter table ${schema}.event_seq enable trigger append_only; commit`);
    broken = false;
    return rowCount ?? 0;
  } finally {
    // Closing the session rolls back.
    client.release(broken);
  }
}

/** Also true if only an event without a number is ahead. */
function isAheadSql(schema: string): string {
  return `select greatest(c.txid::text::numeric,
    (select e.txid::text::numeric from ${schema}.event e order by e.txid desc, e.position desc limit 1)
  ) >= pg_snapshot_xmax(pg_current_snapshot())::text::numeric as is_ahead from ${schema}.seq_cursor c`;
}
