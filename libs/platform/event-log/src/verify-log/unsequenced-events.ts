import type pg from 'pg';
import type { FaultList } from './log-fault.js';

const PER_STATEMENT = 250_000;

/** A position in the order in which events are numbered. */
export interface LogPosition {
  readonly txid: string;
  readonly position: string;
}

/**
 * Finds events after number `after` (0: all) that the sequencer's cursor has passed but that are neither numbered nor
 * held. Rows behind the cursor never change, so each statement may use a snapshot of its own.
 */
export async function findUnsequenced(
  client: pg.ClientBase,
  schema: string,
  { after, cursor }: { readonly after: bigint; readonly cursor: LogPosition },
  faults: FaultList,
  afterStatement: () => void,
): Promise<void> {
  let from = await logPositionOf(client, schema, after);
  for (;;) {
    const to = await boundary(client, schema, from, cursor);
    const { rows } = await client.query<{ event_id: string; stream_id: string; version: number }>(passedSql(schema), [
      from.txid,
      from.position,
      to.txid,
      to.position,
    ]);
    for (const { event_id, stream_id, version } of rows) {
      const at = { eventId: event_id, streamId: stream_id, version };
      faults.add('unsequenced', 'the event never got a number, and the sequencer has passed it', at);
    }
    afterStatement();
    if (to === cursor) return;
    from = to;
  }
}

/** The beginning of the log if the number was removed or never existed. */
async function logPositionOf(client: pg.ClientBase, schema: string, seq: bigint): Promise<LogPosition> {
  const text = `select txid::text, position::text from ${schema}.event_seq where seq = $1`;
  const { rows } = await client.query<LogPosition>(text, [String(seq)]);
  return rows[0] ?? { txid: '0', position: '-9223372036854775808' };
}

async function boundary(
  client: pg.ClientBase,
  schema: string,
  from: LogPosition,
  cursor: LogPosition,
): Promise<LogPosition> {
  const { rows } = await client.query<LogPosition>(
    `select e.txid::text, e.position::text from ${schema}.event e
      where (e.txid, e.position) > ($1::xid8, $2::bigint) and (e.txid, e.position) <= ($3::xid8, $4::bigint)
      order by e.txid, e.position offset ${PER_STATEMENT - 1} limit 1`,
    [from.txid, from.position, cursor.txid, cursor.position],
  );
  return rows[0] ?? cursor;
}

function passedSql(schema: string): string {
  return `
    select e.event_id, e.stream_id, e.version
      from ${schema}.event e
     where (e.txid, e.position) > ($1::xid8, $2::bigint) and (e.txid, e.position) <= ($3::xid8, $4::bigint)
       and not exists (select from ${schema}.event_seq s where s.position = e.position)
       and not exists (select from ${schema}.event_held h where h.stream_id = e.stream_id and h.version = e.version)
       -- Numbers leave with their partition; one that is attached again is a fault by itself.
       and not exists (select from pg_class c join ${schema}.event_partition p on p.name = c.relname
         where c.oid = e.tableoid and p.detached_at is not null)
     limit 20`;
}
