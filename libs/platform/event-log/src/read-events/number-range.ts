import type pg from 'pg';

/** The numbers behind `after`, up to and with `to`. */
export interface NumberRange {
  readonly after: bigint;
  readonly to: bigint;
}

/**
 * Selects `columns` of the numbers `s` of a range in order, with their events `e` if these are still attached. With
 * `byStream` only the event's partition is read; rows from before partitioning have no stream id.
 */
export function rangeSql(schema: string, columns: string, { after, to }: NumberRange, byStream: boolean): string {
  return `
    select ${columns}
      from (select * from ${schema}.event_seq where seq > ${after} and seq <= ${to} order by seq) s
      left join ${schema}.event e on e.txid = s.txid and e.position = s.position ${byStream ? 'and e.stream_id = s.stream_id' : ''}
     order by s.seq`;
}

/** Rows from before partitioning do not name the stream of their event. */
export async function namesStreams(client: pg.ClientBase, schema: string, range: NumberRange): Promise<boolean> {
  const { rows } = await client.query<{ all: boolean | null }>(
    `select bool_and(stream_id is not null) as all from ${schema}.event_seq where seq > $1 and seq <= $2`,
    [String(range.after), String(range.to)],
  );
  return rows[0]?.all ?? true;
}
