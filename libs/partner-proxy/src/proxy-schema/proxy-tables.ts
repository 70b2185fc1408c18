export const proxyTablesSql = `
-- One call of a vendor. step names what has been done; the sweep continues from it after a crash.
create table partner_proxy.task (
  task_id uuid primary key,
  account_id uuid not null,
  vendor text not null check (vendor in ('video', 'image')),
  step text not null check (step in ('reserving', 'calling', 'under_way', 'settling', 'over')),
  state text not null check (state in ('created', 'queueing', 'processing', 'success', 'failed')),
  -- Whole credits of a success.
  price bigint not null check (price >= 0),
  -- Told to the client of a failed task; '' in every other state.
  err_code text not null default '',
  -- As the vendor gave them: {id, url, cover_url} of a video, {url} of an image.
  creations json not null default '[]',
  -- The vendor's own id; null before its answer.
  vendor_task_id text,
  -- The secret part of the URL that the vendor calls.
  callback_token text collate "C" not null unique check (length(callback_token) = 32),
  -- Null: the client gave none.
  callback_url text,
  created_at timestamptz(3) not null default heddle.clock_now_ms(),
  -- Of the last change of step.
  step_at timestamptz(3) not null default heddle.clock_now_ms(),
  -- Of the last call of the vendor's status; null: never.
  polled_at timestamptz(3)
) with (fillfactor = 80);
create index task_open on partner_proxy.task (created_at, task_id) where step <> 'over';

-- Apart from the task, which changes often: up to 1 MiB of the client's own text.
create table partner_proxy.payload (
  task_id uuid primary key references partner_proxy.task,
  payload text not null
);
alter table partner_proxy.payload alter column payload set storage external;

-- Keys are kept for 24 h by the database clock. A definite failure of the call deletes its claim.
create table partner_proxy.idempotency_key (
  account_id uuid not null,
  operation text not null check (operation in ('multiframe', 'upscale')),
  key text collate "C" not null check (length(key) between 1 and 255),
  task_id uuid not null,
  claimed_at timestamptz(3) not null default heddle.clock_now_ms(),
  primary key (account_id, operation, key)
);
create index idempotency_key_age on partner_proxy.idempotency_key (claimed_at);

-- Nonces of callbacks whose signature held; kept while their date could still be accepted.
create table partner_proxy.vendor_nonce (
  vendor text not null,
  nonce text collate "C" not null check (length(nonce) between 1 and 255),
  seen_at timestamptz(3) not null default heddle.clock_now_ms(),
  primary key (vendor, nonce)
);
create index vendor_nonce_age on partner_proxy.vendor_nonce (seen_at);

-- Written in the transaction of the change of state that it reports.
create table partner_proxy.delivery (
  -- The webhook-id of every attempt.
  delivery_id uuid primary key,
  task_id uuid not null references partner_proxy.task,
  account_id uuid not null,
  url text not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'dead')),
  -- Attempts that were begun.
  attempts int not null default 0,
  -- When a waiting delivery is due. An attempt under way moves it behind its own end, so that no other replica begins one.
  next_at timestamptz(3) not null default heddle.clock_now_ms(),
  -- Why the last attempt failed, in Heddle's words.
  problem text not null default '',
  created_at timestamptz(3) not null default heddle.clock_now_ms(),
  ended_at timestamptz(3)
) with (fillfactor = 80);
alter table partner_proxy.delivery alter column body set storage external;
create index delivery_due on partner_proxy.delivery (next_at, delivery_id) where status = 'waiting';
create index delivery_dead on partner_proxy.delivery (ended_at, delivery_id) where status = 'dead';
create index delivery_by_task on partner_proxy.delivery (task_id, created_at);

-- The webhook secret of an account is derived from the pepper and this salt: whoever reads the table cannot sign.
create table partner_proxy.webhook_salt (
  account_id uuid primary key,
  salt bytea not null check (octet_length(salt) = 32),
  changed_at timestamptz(3) not null default heddle.clock_now_ms()
);

grant select, insert, update on partner_proxy.task, partner_proxy.delivery, partner_proxy.webhook_salt to heddle_registry;
grant select, insert on partner_proxy.payload to heddle_registry;
grant select, insert, delete on partner_proxy.idempotency_key, partner_proxy.vendor_nonce to heddle_registry;
`;
