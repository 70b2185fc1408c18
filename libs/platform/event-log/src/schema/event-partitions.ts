import type { SchemaMigration } from '@heddle/platform-database';

/** The log to partition, and the event type that ends a stream; after it, payloads may be purged. */
export interface PartitionedLog {
  readonly schema: string;
  readonly role: string;
  readonly lastEvent: string;
}

/**
 * Partitions `event` by stream id (docs/decisions/0026), in place and under live traffic; the existing rows become the
 * first partition. Three steps: add what is quick, validate under traffic, swap the tables. Released text: it never
 * changes.
 */
export function eventPartitionsMigrations(
  log: PartitionedLog,
  names: readonly [string, string, string],
): readonly SchemaMigration[] {
  return [
    { name: names[0], up: prepareSql(log) },
    { name: names[1], online: validateStatements(log).map((sql) => ({ sql })) },
    { name: names[2], up: swapSql(log) },
  ];
}

/**
 * The first partition ends at a week boundary three to ten days ahead, so that nothing is refused while the steps run,
 * or after the highest existing id.
 */
function prepareSql({ schema, role }: PartitionedLog): string {
  return `
    set local lock_timeout = '300ms';
    lock table ${schema}.event in access exclusive mode;
    alter table ${schema}.event alter column data drop not null, add column data_digest bytea;
    alter table ${schema}.event_seq add column stream_id uuid, add column link bytea;
    alter table ${schema}.event add constraint event_payload_row check (${payloadRow(schema)}) not valid;

    create table ${schema}.log_identity (id int primary key check (id = 1), log_id uuid not null);
    insert into ${schema}.log_identity values (1, gen_random_uuid());
    create table ${schema}.checkpoint (
      seq         bigint primary key check (seq > 0),
      chain       bytea not null check (octet_length(chain) = 32),
      recorded_at timestamptz(3) not null,
      key_id      text not null,
      signature   bytea not null
    );
    create table ${schema}.event_partition (
      name        text primary key,
      from_id     uuid,
      to_id       uuid,
      detached_at timestamptz,
      first_seq   bigint,
      last_seq    bigint,
      events      bigint
    );
    grant select on ${schema}.log_identity, ${schema}.checkpoint, ${schema}.event_partition to ${role};
    grant insert on ${schema}.checkpoint to ${role};

    -- The lowest UUIDv7 of an instant, in milliseconds since 1970.
    create function ${schema}.first_event_id(p_ms bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex(greatest(0, least(p_ms, 281474976710655))), 12, '0') || repeat('0', 20))::uuid
    $$;
    do $$
    declare
      v_week constant bigint := 604800000;
      v_last_ms bigint := ('x' || (select left(replace(stream_id::text, '-', ''), 12)
                                     from ${schema}.event order by stream_id desc limit 1))::bit(48)::bigint;
      v_end_ms bigint := greatest(extract(epoch from clock_timestamp() + interval '3 days')::bigint * 1000, coalesce(v_last_ms, 0));
      v_to uuid;
    begin
      v_end_ms := (v_end_ms / v_week + 1) * v_week;
      if v_end_ms < 281474976710655 then
        v_to := ${schema}.first_event_id(v_end_ms);
        execute format('alter table ${schema}.event add constraint event_bound check (stream_id < %L) not valid', v_to);
      end if;
      insert into ${schema}.event_partition (name, to_id) values ('event_first', v_to);
    end $$;
  `;
}

/**
 * A purged payload leaves its digest: exactly one of the two is present. A compiled condition, as in the first release.
 */
function payloadRow(schema: string): string {
  return `${schema}.event_is_sound(
      version, type, schema_version, fence, worker_seq, correlation_id, coalesce(
        case when data_digest is null then octet_length(data) when data is null then octet_length(data_digest) end, 0))`;
}

/** Takes weak locks that block no writer, so it can wait for them: a running autovacuum yields after a second. */
function validateStatements({ schema }: PartitionedLog): readonly string[] {
  const patiently = (statement: string): string => `do $$ begin set local lock_timeout = '20s'; ${statement} end $$`;
  return [
    patiently(`alter table if exists ${schema}.event set (autovacuum_enabled = false);`),
    patiently(`alter table ${schema}.event validate constraint event_payload_row;`),
    patiently(`if exists (select from pg_constraint where conrelid = '${schema}.event'::regclass and conname = 'event_bound')
      then alter table ${schema}.event validate constraint event_bound; end if;`),
  ];
}

/** Catalog changes only. Sessions that wait for the table find the new one under its name. */
function swapSql({ schema, role, lastEvent }: PartitionedLog): string {
  const columns = `event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq,
      is_terminal, recorded_at, correlation_id, causation_id, data, status, traceparent`;
  return `
    set local lock_timeout = '300ms';
    lock table ${schema}.event in access exclusive mode;
    alter table ${schema}.event drop constraint event_row;
    alter table ${schema}.event rename constraint event_payload_row to event_row;
    -- Partitions have no identity columns up to PostgreSQL 16, and share one from 17 on: a sequence serves all versions.
    create sequence ${schema}.event_position as bigint;
    select setval('${schema}.event_position', nextval(pg_get_serial_sequence('${schema}.event', 'position')), false);
    alter table ${schema}.event alter column position drop identity;
    drop trigger append_only on ${schema}.event;
    revoke all on ${schema}.event from ${role};
    revoke insert (${columns}) on ${schema}.event from ${role};
    alter table ${schema}.event rename to event_first;
    alter table ${schema}.event_first reset (autovacuum_enabled);

    create table ${schema}.event (
      position       bigint not null default nextval('${schema}.event_position'),
      txid           xid8 not null default pg_current_xact_id(),
      event_id       uuid not null,
      stream_id      uuid not null,
      version        int not null,
      type           text not null,
      schema_version smallint not null,
      account_id     uuid not null,
      deployment_id  uuid not null,
      fence          bigint,
      worker_seq     bigint,
      is_terminal    boolean not null default false,
      recorded_at    timestamptz(3) not null default heddle.clock_now_ms(),
      correlation_id text,
      causation_id   uuid,
      data           bytea,
      status         text,
      traceparent    text,
      data_digest    bytea,
      constraint event_row check (${payloadRow(schema)})
    ) partition by range (stream_id);
    alter sequence ${schema}.event_position owned by ${schema}.event.position;

    -- The indexes of the first partition keep their names; statements are told the partition's.
    alter table ${schema}.event add constraint event_log_version unique (stream_id, version);
    create unique index event_log_event_id on ${schema}.event (stream_id, event_id);
    create unique index event_log_one_terminal on ${schema}.event (stream_id) where is_terminal;
    create unique index event_log_once_per_worker_seq on ${schema}.event (stream_id, fence, worker_seq) where worker_seq is not null;

    -- The one change that an event may see: its payload is replaced by the digest, after the last event of its stream.
    create function ${schema}.guard_event() returns trigger language plpgsql set search_path = pg_catalog as $$
    declare
      o record := old;
    begin
      if tg_op = 'UPDATE' and old.data is not null and new.data is null and new.data_digest = sha256(old.data) then
        o.data := null;
        o.data_digest := new.data_digest;
        if o is not distinct from new and '${lastEvent}' = (
          select l.type from ${schema}.event l where l.stream_id = old.stream_id order by l.version desc limit 1)
        then
          return new;
        end if;
      end if;
      raise exception 'event is append-only: % refused', tg_op using errcode = 'integrity_constraint_violation';
    end $$;
    -- Each partition gets the row trigger with its attachment; a statement trigger it needs for itself.
    create trigger append_only before update or delete on ${schema}.event
      for each row execute function ${schema}.guard_event();
    create trigger append_only_truncate before truncate on ${schema}.event
      for each statement execute function ${schema}.refuse_change();
    create trigger append_only_truncate before truncate on ${schema}.event_first
      for each statement execute function ${schema}.refuse_change();

    do $$
    declare
      v_to uuid := (select to_id from ${schema}.event_partition where name = 'event_first');
    begin
      execute format('alter table ${schema}.event attach partition ${schema}.event_first for values from (minvalue) to (%s)',
                     coalesce(quote_literal(v_to), 'maxvalue'));
    end $$;
    alter table ${schema}.event_first drop constraint if exists event_bound;

    grant select on ${schema}.event to ${role};
    grant insert (${columns}) on ${schema}.event to ${role};
    grant usage on sequence ${schema}.event_position to ${role};
  `;
}
