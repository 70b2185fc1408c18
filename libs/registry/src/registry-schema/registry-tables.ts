export const registryTablesSql = `
-- A function of the log, but for its profile, which owners write.
create table registry.publisher (
  publisher_id text primary key check (length(publisher_id) between 2 and 64),
  stream_id uuid not null unique,
  status text not null check (status in ('active', 'banned')),
  state json not null,
  profile json not null,
  created_at timestamptz(3) not null default heddle.clock_now_ms()
);
create table registry.member (
  member_id uuid primary key,
  publisher_id text not null references registry.publisher,
  account_id uuid not null,
  role text not null check (role in ('owner', 'member')),
  unique (publisher_id, account_id)
);
create index member_by_account on registry.member (account_id, publisher_id);

create table registry.token (
  token_id text primary key check (length(token_id) = 16),
  publisher_id text not null references registry.publisher,
  digest bytea not null check (octet_length(digest) = 32),
  name text not null,
  description text not null,
  -- Keys of nodes; null: all of the publisher.
  nodes text[],
  actions text[] not null,
  created_at timestamptz(3) not null default heddle.clock_now_ms(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index token_by_publisher on registry.token (publisher_id, created_at);

-- A function of the log. The row of a deleted node stays: its id is never free again.
create table registry.node (
  node_key text collate "C" primary key check (length(node_key) between 1 and 100),
  stream_id uuid not null unique,
  publisher_id text not null references registry.publisher,
  status text not null check (status in ('active', 'banned', 'deleted')),
  skeleton text not null unique,
  repository_key text unique,
  state json not null,
  -- In its first spelling.
  node_id text collate "C" generated always as (state ->> 'nodeId') stored,
  name text not null,
  -- The version that an installation without a number gets; null: none is active.
  latest_id uuid,
  created_at timestamptz(3) not null,
  changed_at timestamptz(3) not null default heddle.clock_now_ms()
);
create index node_by_publisher on registry.node (publisher_id, node_key);
create index node_by_age on registry.node (created_at, node_key) where status = 'active';

-- Apart from the node: installations change it all the time.
create table registry.node_count (
  node_key text collate "C" primary key,
  downloads bigint not null default 0,
  stars bigint not null default 0,
  reviews bigint not null default 0
) with (fillfactor = 50);
create table registry.review (
  node_key text collate "C" not null,
  account_id uuid not null,
  star int not null check (star between 1 and 5),
  primary key (node_key, account_id)
);

-- A function of the log. version_id is the id of its stream.
create table registry.version (
  version_id uuid primary key,
  node_key text collate "C" not null references registry.node,
  version text not null,
  sort_key text collate "C" not null,
  status text not null check (status in ('pending', 'active', 'flagged', 'banned', 'deleted')),
  is_prerelease boolean not null,
  is_deprecated boolean not null,
  blob uuid unique,
  -- Bytes are there, and what is in them is not known yet.
  waits boolean not null,
  -- It has been looked into, and is scanned again: no event says so before the scan has ended.
  is_rescan boolean not null default false,
  -- Number of its rows in wf_node.
  classes int not null,
  state json not null,
  created_at timestamptz(3) not null,
  published_at timestamptz(3) not null,
  unique (node_key, version)
);
create index version_order on registry.version (node_key, sort_key desc);
create index version_by_number on registry.version (version) where status in ('active', 'flagged');
create index version_waits on registry.version (created_at) where waits;
create index version_without_bytes on registry.version (published_at) where status = 'pending' and blob is null;
create index version_flagged on registry.version (created_at, version_id) where status = 'flagged';

-- The classes of a version, which its event names by their hash.
create table registry.class_list (
  hash text primary key check (length(hash) = 64),
  content bytea not null check (octet_length(content) between 2 and 16777216)
);
create table registry.wf_node (
  version_id uuid not null references registry.version,
  name text collate "C" not null,
  -- Its place among the names of the version, from 0: a page begins where its number says, whatever comes before.
  at int not null,
  doc json not null,
  primary key (version_id, name),
  unique (version_id, at)
);
create index wf_node_by_name on registry.wf_node (name, version_id);

-- What publishers and readers ask of the operator, until it is answered. subject: the version to review, or the account that
-- reports the node; so each has one of a kind.
create table registry.request (
  request_id uuid primary key,
  kind text not null check (kind in ('review', 'report')),
  node_key text collate "C" not null references registry.node,
  subject uuid not null,
  text text not null,
  created_at timestamptz(3) not null default heddle.clock_now_ms(),
  unique (node_key, kind, subject)
);
create index request_by_age on registry.request (created_at, request_id);

-- The text that a publisher must show in a repository to claim its node.
create table registry.claim (
  node_key text collate "C" not null references registry.node,
  publisher_id text not null references registry.publisher,
  challenge text not null,
  primary key (node_key, publisher_id)
);
-- What lists and the search show of each node. A change of it takes the lock on the head last, so that revisions become
-- visible in their order: who has seen one has seen all before it.
create table registry.listing_head (
  only_one boolean primary key default true check (only_one),
  revision bigint not null
);
insert into registry.listing_head (revision) values (0);
create table registry.listing (
  node_key text collate "C" primary key references registry.node,
  node_id text collate "C" not null,
  -- The latest version; null: the node is not shown.
  version_id uuid,
  classes int not null,
  revision bigint not null,
  -- Texts are folded: lower case.
  name text collate "C" not null,
  words text[] not null,
  labels text[] not null,
  repository text collate "C" not null,
  supported_os text[] not null,
  supported_accelerators text[] not null,
  search_ranking float8 not null,
  -- Not an array: a scan of all rows for a common gram would compare every one of each row.
  grams tsvector not null,
  name_grams text[] not null
);
create index listing_by_revision on registry.listing (revision);
create index listing_grams on registry.listing using gin (grams);
create index listing_name_grams on registry.listing using gin (name_grams);
-- The classes of the versions that are shown.
create table registry.listed_class (
  node_key text collate "C" not null references registry.node,
  name text collate "C" not null,
  folded text collate "C" not null,
  primary key (node_key, name)
);
create index listed_class_by_name on registry.listed_class (folded, node_key);

-- Bytes that an upload writes: a row without a version after a while names bytes to delete.
create table registry.upload (
  blob uuid primary key,
  begun_at timestamptz(3) not null default heddle.clock_now_ms()
);
create index upload_by_age on registry.upload (begun_at);

grant select, insert, update on registry.publisher, registry.node, registry.node_count, registry.version, registry.token,
  registry.review, registry.listing, registry.listing_head to heddle_registry;
grant select, insert, update, delete on registry.member, registry.wf_node, registry.listed_class, registry.upload,
  registry.request, registry.claim to heddle_registry;
grant select, insert on registry.class_list to heddle_registry;
`;
