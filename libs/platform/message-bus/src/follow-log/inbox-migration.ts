/**
 * The inbox of one service: which events of a log it has applied. `role` reads and writes it in the transactions of the
 * effects. Nothing is missing up to `inbox_place.seq`; `inbox` holds the events after it, and those that could not be
 * applied.
 */
export function inboxMigrationSql(schema: string, role: string): string {
  return `
create table ${schema}.inbox_place (
  topic text collate "C" primary key,
  seq bigint not null default 0 check (seq >= 0),
  -- Of the event at seq, by which another history of the log is noticed; null at 0.
  event_id uuid
) with (fillfactor = 50);

create table ${schema}.inbox (
  topic text collate "C" not null,
  seq bigint not null check (seq > 0),
  event_id uuid not null,
  -- Set: the event could not be applied, and why.
  failure text check (length(failure) <= 500),
  primary key (topic, seq, event_id)
);
create index inbox_failed on ${schema}.inbox (topic, seq) where failure is not null;

grant select, insert, update, delete on ${schema}.inbox, ${schema}.inbox_place to ${role};
`;
}
