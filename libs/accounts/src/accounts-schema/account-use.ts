/**
 * What gateways let through for accounts at present (docs/decisions/0040). Unlogged: after a crash of the server every
 * account begins with a full burst, as after a start.
 */
export const accountUseSql = `
create unlogged table accounts.gateway (
  gateway_id uuid primary key,
  seen_at timestamptz(3) not null
);
create unlogged table accounts.read_bucket (
  account_id uuid primary key,
  tokens double precision not null,
  rate double precision not null,
  burst double precision not null,
  settled_at timestamptz(3) not null
) with (fillfactor = 50);
create unlogged table accounts.gateway_use (
  account_id uuid not null,
  gateway_id uuid not null,
  streams integer not null,
  used_at timestamptz(3) not null,
  primary key (account_id, gateway_id)
) with (fillfactor = 50);
create index gateway_use_of_gateway on accounts.gateway_use (gateway_id);
grant select, insert, update, delete on accounts.gateway, accounts.read_bucket, accounts.gateway_use to heddle_accounts;
`;
