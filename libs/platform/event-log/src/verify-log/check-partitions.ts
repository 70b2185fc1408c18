import type pg from 'pg';
import type { FaultList } from './log-fault.js';

interface PartitionRow {
  readonly name: string;
  readonly is_detached: boolean;
}

/** Holds the record of partitions against those that the server has: one that is gone, or attached again. */
export async function checkPartitions(client: pg.ClientBase, schema: string, faults: FaultList): Promise<void> {
  const { rows } = await client.query<PartitionRow>(`
    select p.name, p.detached_at is not null as is_detached
      from ${schema}.event_partition p
      left join (select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
                  where i.inhparent = '${schema}.event'::regclass) a on a.name = p.name
     where (p.detached_at is null) <> (a.name is not null)
     order by p.from_id nulls first limit 20`);
  for (const { name, is_detached } of rows) {
    if (is_detached) faults.add('partition', `the partition ${name} was detached and is attached again`);
    else faults.add('partition', `the partition ${name} is gone, and no record says that it was detached`);
  }
}
