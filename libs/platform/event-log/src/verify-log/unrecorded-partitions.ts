import type pg from 'pg';

interface PartitionRow {
  readonly name: string;
  readonly is_detached: boolean;
}

/** Compares the record of partitions with the server's catalog: one sentence per difference, at most 20. */
export async function unrecordedPartitions(
  database: pg.Pool | pg.ClientBase,
  schema: string,
): Promise<readonly string[]> {
  const { rows } = await database.query<PartitionRow>(`
    select p.name, p.detached_at is not null as is_detached
      from ${schema}.event_partition p
      left join (select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
                  where i.inhparent = '${schema}.event'::regclass) a on a.name = p.name
     where (p.detached_at is null) <> (a.name is not null)
     order by p.from_id nulls first limit 20`);
  return rows.map(({ name, is_detached: isDetached }) =>
    isDetached
      ? `the partition ${name} was detached and is attached again`
      : `the partition ${name} is not attached, and no record says that it was detached`,
  );
}
