import { RELEASED_EVENT_LINK } from './event-link.js';
import { releasedRelaySql } from './released-relay.js';
import { releasedSequencerSql } from './released-sequencer.js';

/** Maximum canonical JSON of one event, in bytes. */
export const MAX_EVENT_BYTES = 1_048_576;

/** Columns of the first release that an append statement names; only the database fills the rest (position, txid). */
const FIRST_COLUMNS = [
  'event_id',
  'stream_id',
  'version',
  'type',
  'schema_version',
  'account_id',
  'deployment_id',
  'fence',
  'worker_seq',
  'is_terminal',
  'recorded_at',
  'correlation_id',
  'causation_id',
  'data',
] as const;

/** Columns that `eventEnvelopeMigrationSql` adds; null in a row that an older build wrote. */
const ENVELOPE_COLUMNS = ['status', 'traceparent'] as const;

/** Columns of an append statement, in this order. */
export const EVENT_COLUMNS = [...FIRST_COLUMNS, ...ENVELOPE_COLUMNS] as const;

/** Functions that the role may call; they run with the schema owner's rights. */
const ROLE_FUNCTIONS = ['sequence_events', 'release_sequencer', 'claim_relay', 'move_relay', 'release_relay'];
const DEFINER_FUNCTIONS = [...ROLE_FUNCTIONS, 'order_by_version'];

/**
 * Tables and functions of one service's append-only log, for the service's first migration. `role` may read the log,
 * append to it, and call the sequencer and relay functions. It cannot change or remove events, choose the transaction
 * id that ordering relies on, or write a sequence number.
 */
export function eventLogMigrationSql(schema: string, role: string): string {
  return `
    -- A constraint is read and prepared anew by every statement that writes, at some 10 us a condition; a call of a
    -- compiled function is not.
    create function ${schema}.event_is_sound(
      version int, type text, schema_version smallint, fence bigint, worker_seq bigint, correlation_id text, bytes int)
    returns boolean language plpgsql immutable as $$
    begin
      return version > 0 and type ~ '^[A-Z][A-Za-z]{2,63}$' and schema_version > 0 and coalesce(fence, 0) >= 0
        and (worker_seq is null or (worker_seq > 0 and fence is not null))
        and (correlation_id is null or length(correlation_id) between 1 and 200)
        and bytes between 2 and 1048576;
    end $$;

    create table ${schema}.event (
      position       bigint not null generated always as identity,
      txid           xid8 not null default pg_current_xact_id(),
      event_id       uuid not null unique,
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
      data           bytea not null,
      primary key (txid, position),
      unique (stream_id, version),
      constraint event_row check (${schema}.event_is_sound(
        version, type, schema_version, fence, worker_seq, correlation_id, octet_length(data)))
    );
    create unique index event_one_terminal on ${schema}.event (stream_id) where is_terminal;
    create unique index event_once_per_worker_seq on ${schema}.event (stream_id, fence, worker_seq) where worker_seq is not null;

    create table ${schema}.event_seq (
      seq      bigint primary key check (seq > 0),
      txid     xid8 not null,
      position bigint not null unique,
      epoch    bigint not null,
      chain    bytea not null check (octet_length(chain) = 32)
    );

    create table ${schema}.event_held (
      stream_id uuid not null,
      version   int not null,
      txid      xid8 not null,
      position  bigint not null,
      held_at   timestamptz not null,
      primary key (stream_id, version)
    );

    create table ${schema}.seq_cursor (
      id          int primary key check (id = 1),
      txid        xid8 not null,
      position    bigint not null,
      seq         bigint not null,
      chain       bytea not null,
      epoch       bigint not null,
      holder      text not null,
      lease_until timestamptz not null
    ) with (fillfactor = 10);
    insert into ${schema}.seq_cursor values (1, '0', 0, 0, decode(repeat('00', 32), 'hex'), 0, '', '-infinity');

    create table ${schema}.relay_cursor (
      consumer    text primary key check (length(consumer) between 1 and 100),
      seq         bigint not null default 0,
      epoch       bigint not null,
      holder      text not null,
      lease_until timestamptz not null
    ) with (fillfactor = 10);

    create function ${schema}.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'integrity_constraint_violation';
    end $$;
    create trigger append_only before update or delete or truncate on ${schema}.event
      for each statement execute function ${schema}.refuse_change();
    create trigger append_only before update or delete or truncate on ${schema}.event_seq
      for each statement execute function ${schema}.refuse_change();

    ${releasedSequencerSql(schema, RELEASED_EVENT_LINK)}
    ${releasedRelaySql(schema)}

    revoke execute on function ${DEFINER_FUNCTIONS.map((name) => `${schema}.${name}`).join(', ')} from public;
    grant execute on function ${ROLE_FUNCTIONS.map((name) => `${schema}.${name}`).join(', ')} to ${role};
    grant select on ${schema}.event, ${schema}.event_seq, ${schema}.event_held, ${schema}.seq_cursor, ${schema}.relay_cursor to ${role};
    grant insert (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq, is_terminal, recorded_at, correlation_id, causation_id, data) on ${schema}.event to ${role};
  `;
}

/**
 * Adds columns for the result of an event, so that readers need not fold the stream. They are outside the hash chain
 * because they follow from the events. Adding a nullable column rewrites no row.
 */
export function eventEnvelopeMigrationSql(schema: string, role: string): string {
  return `
    alter table ${schema}.event ${ENVELOPE_COLUMNS.map((column) => `add column ${column} text`).join(', ')};
    grant insert (${ENVELOPE_COLUMNS.join(', ')}) on ${schema}.event to ${role};
  `;
}
