/** Everything observable in the schemas $1, one line each: equal for two databases of one version. */
export const catalogSql = `
with named as (select oid, nspname from pg_namespace where nspname = any($1::text[]))
select line from (
  select format('schema %s %s', nspname, (select nspacl::text from pg_namespace n where n.oid = named.oid)) as line from named
  union all
  select format('relation %s %s kind %s options %s rights %s', c.oid::regclass, c.relpersistence, c.relkind, c.reloptions, c.relacl)
    from pg_class c join named on named.oid = c.relnamespace
  union all
  select format('column %s.%s %s not null %s default %s generated %s identity %s storage %s rights %s', c.oid::regclass, a.attname,
                format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attgenerated,
                a.attidentity, a.attstorage, a.attacl)
    from pg_attribute a join pg_class c on c.oid = a.attrelid join named on named.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where a.attnum > 0 and not a.attisdropped
  union all
  select format('constraint %s of %s: %s valid %s', k.conname, k.conrelid::regclass, pg_get_constraintdef(k.oid), k.convalidated)
    from pg_constraint k join named on named.oid = k.connamespace
  union all
  select format('index %s valid %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
    from pg_index i join pg_class c on c.oid = i.indexrelid join named on named.oid = c.relnamespace
  union all
  select format('function %s rights %s', pg_get_functiondef(p.oid), p.proacl)
    from pg_proc p join named on named.oid = p.pronamespace
  union all
  select format('trigger %s enabled %s', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join named on named.oid = c.relnamespace where not t.tgisinternal
  union all
  select format('type %s of %s', t.oid::regtype, t.typtype) from pg_type t join named on named.oid = t.typnamespace
  union all
  select format('applied function %s.%s %s', schema, name, hash) from heddle.function_hash
) everything order by line collate "C"`;
