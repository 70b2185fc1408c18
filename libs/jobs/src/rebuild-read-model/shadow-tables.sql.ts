import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';

/** The live tables whose names are in $1. */
const TABLES = `
    select c.oid, c.relname, c.relowner, c.relacl, c.reloptions from pg_class c
     where c.relnamespace = '${JOBS_SCHEMA}'::regnamespace and c.relname = any($1::text[]) and c.relkind = 'r'`;

/**
 * Statements that give the shadow tables in the schema $2 what `create table like` leaves out. Texts come from the
 * catalog, so an index that a later step adds is not left out.
 */
export const indexTextsSql = `
select statement from (
  select 1 as step, c.relname, '' as name,
         format('alter table %I.%I owner to %I', $2::text, c.relname, pg_get_userbyid(c.relowner)) as statement from (${TABLES}) c
  union all
  select 2, c.relname, '', format('alter table %I.%I set (%s)', $2::text, c.relname, array_to_string(c.reloptions, ', '))
    from (${TABLES}) c where c.reloptions is not null
  union all
  select 3, c.relname, k.conname, format('alter table %I.%I add constraint %I %s', $2::text, c.relname, k.conname, pg_get_constraintdef(k.oid))
    from (${TABLES}) c, pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'f')
  union all
  select 4, c.relname, n.relname,
         replace(pg_get_indexdef(i.indexrelid), format(' ON ${JOBS_SCHEMA}.%I USING ', c.relname), format(' ON %I.%I USING ', $2::text, c.relname))
    from (${TABLES}) c, pg_index i, pg_class n where i.indrelid = c.oid and n.oid = i.indexrelid and i.indisvalid
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
) s order by step, relname, name`;

const grantee = `case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end`;
const grantable = `case when a.is_grantable then ' with grant option' else '' end`;

/** Statements for the grants and triggers of the shadow tables. Triggers come last: the rebuild fills the tables itself. */
export const grantTextsSql = `
select statement from (
  select 1 as step, c.relname, '' as name,
         format('grant %s on %I.%I to %s%s', a.privilege_type, $2::text, c.relname, ${grantee}, ${grantable}) as statement
    from (${TABLES}) c, aclexplode(c.relacl) a where a.grantee <> c.relowner
  union all
  select 2, c.relname, t.attname,
         format('grant %s (%I) on %I.%I to %s%s', a.privilege_type, t.attname, $2::text, c.relname, ${grantee}, ${grantable})
    from (${TABLES}) c, pg_attribute t, aclexplode(t.attacl) a
   where t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped
  union all
  select 3, c.relname, g.tgname,
         replace(pg_get_triggerdef(g.oid), format(' ON ${JOBS_SCHEMA}.%I ', c.relname), format(' ON %I.%I ', $2::text, c.relname))
    from (${TABLES}) c, pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal
) s order by step, relname, name`;

/** Statements that drop the triggers of the live tables. */
export const triggersSql = `
select format('drop trigger %I on ${JOBS_SCHEMA}.%I', g.tgname, c.relname) as statement from (${TABLES}) c, pg_trigger g
 where g.tgrelid = c.oid and not g.tgisinternal`;

/** Events behind a place, in the order of transactions. */
export const changedSql = `
select e.txid, e.position, e.stream_id from ${JOBS_SCHEMA}.event e
 where (e.txid, e.position) > ($1::xid8, $2::bigint) order by e.txid, e.position limit $3`;

/** The oldest transaction that is open: what it writes is not visible yet. */
export const oldestOpenSql = 'select pg_snapshot_xmin(pg_current_snapshot()) as xmin';
