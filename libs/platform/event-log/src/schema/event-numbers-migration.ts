import type { SchemaMigration } from '@heddle/platform-database';

/**
 * Lets rows of `event_seq` age (docs/decisions/0026): a row may get its link, which the chain proves, and may be
 * removed once a checkpoint covers it and it has its link. All other changes stay forbidden. Released text: it never
 * changes.
 */
export function eventNumbersMigration(schema: string, name: string): SchemaMigration {
  return {
    name,
    up: `
    set local lock_timeout = '300ms';
    create function ${schema}.guard_number() returns trigger language plpgsql set search_path = pg_catalog as $$
    declare
      o record := old;
      v_before bytea;
    begin
      if tg_op = 'UPDATE' and old.link is null and new.link is not null and coalesce(old.stream_id = new.stream_id, new.stream_id is not null) then
        o.link := new.link;
        o.stream_id := new.stream_id;
        select b.chain into v_before from ${schema}.event_seq b where b.seq = old.seq - 1;
        if v_before is null then
          select c.chain into v_before from ${schema}.checkpoint c where c.seq = old.seq - 1;
        end if;
        if o is not distinct from new
          and old.chain = sha256(coalesce(v_before, decode(repeat('00', 32), 'hex')) || new.link)
        then
          return new;
        end if;
      elsif tg_op = 'DELETE' and old.link is not null and exists (select from ${schema}.checkpoint c where c.seq >= old.seq) then
        return old;
      end if;
      raise exception 'event_seq is append-only: % refused', tg_op using errcode = 'integrity_constraint_violation';
    end $$;
    drop trigger append_only on ${schema}.event_seq;
    create trigger append_only before update or delete on ${schema}.event_seq
      for each row execute function ${schema}.guard_number();
    create trigger append_only_truncate before truncate on ${schema}.event_seq
      for each statement execute function ${schema}.refuse_change();
  `,
  };
}
