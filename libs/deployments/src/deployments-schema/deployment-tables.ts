export const deploymentTablesSql = `
-- A function of the log: the state of a deployment after its last event.
create table deployments.deployment (
  deployment_id uuid primary key,
  -- Of deleted ones too: a name is never given to another.
  label text not null check (length(label) between 1 and 63),
  stage text not null check (stage in ('production', 'staging')),
  status text not null,
  version int not null check (version > 0),
  -- The transaction of the newest event: gateways read what changed since a transaction that they have seen whole.
  changed xid8 not null default pg_current_xact_id(),
  state json not null,
  unique (label, stage)
);
create index deployment_changed on deployments.deployment (changed);
create index deployment_live on deployments.deployment (label, stage) where status <> 'deleted';

-- Which jobs replica has workers of which pool; a replica that is gone stops writing.
create table deployments.pool (
  replica_id uuid not null,
  deployment_id uuid not null,
  revision int not null check (revision >= 0),
  workers int not null check (workers >= 0),
  seen_at timestamptz(3) not null,
  primary key (deployment_id, revision, replica_id)
) with (fillfactor = 50);

-- Node classes of pinned environments, by their hash; environments share them.
create table deployments.catalogue (
  hash text primary key check (length(hash) = 71),
  content bytea not null check (octet_length(content) between 2 and 67108864)
);

grant select, insert, update on deployments.deployment to heddle_deployments;
grant select, insert, update, delete on deployments.pool to heddle_deployments;
grant select, insert on deployments.catalogue to heddle_deployments;
`;

/** One row a replica says that its workers are there: a look reads the pools that changed, and these few rows. */
export const presenceByReplicaSql = `
create table deployments.replica (
  replica_id uuid primary key,
  seen_at timestamptz(3) not null
) with (fillfactor = 50);
grant select, insert, update, delete on deployments.replica to heddle_deployments;

-- As deployments.deployment.changed; pools from before this step are read by the first look.
alter table deployments.pool add column changed xid8 not null default '0';
create index pool_changed on deployments.pool (changed);
`;

/** Rows written before the state said when the current revision became current: that was long ago. */
export const activatedAtSql = `
update deployments.deployment
set state = jsonb_set(state::jsonb, '{facts,activatedAt}', state::jsonb #> '{facts,createdAt}')::json
where state::jsonb #> '{facts,activatedAt}' is null;
`;
