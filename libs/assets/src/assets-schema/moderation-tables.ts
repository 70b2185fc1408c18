/** Who decided on a hash, and the hashes that no scanner has seen. */
export const moderationTablesSql = `
-- 'admin', 'hashes' or 'scanner': whose decision is the newest; null: from before this step.
alter table assets.verdict add column source text collate "C",
  -- An operator blocked or unblocked the hash: neither the list nor the scanner changes that.
  add column by_hand boolean not null default false,
  add column scanned_at timestamptz(3);

create table assets.unscanned (
  hash text collate "C" primary key,
  content_type text not null,
  queued_at timestamptz(3) not null,
  -- Scans that failed, and when the next one is due.
  attempts int not null default 0,
  due_at timestamptz(3) not null
);
create index unscanned_fresh on assets.unscanned (queued_at) where attempts = 0;
create index unscanned_retry on assets.unscanned (due_at) where attempts > 0;
create index unscanned_oldest_retry on assets.unscanned (queued_at) where attempts > 0;
grant select, insert, update, delete on assets.unscanned to heddle_assets;
`;
