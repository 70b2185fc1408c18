/**
 * Commits an output in one compiled function: ends the intent, makes the bytes a blob or finds the existing one, and
 * mints the record, with the decisions and locks of `SETTLE_BLOB` and of an upload's mint. Each statement sees what was
 * committed before it began: one that waited for the collector sees its result.
 */
export const outputCommitSql = `
-- Intents that are opened ahead of need are nobody's yet.
alter table assets.upload alter column account_id drop not null;

-- The object that holds the bytes from now on; null, and nothing changed, where the sweeper took the intent.
create function assets.commit_output(
  staged uuid, bytes_hash text, bytes_size bigint, new_asset uuid, account uuid, deployment uuid, media_type text,
  path text, expiry timestamptz, job uuid, lease_fence bigint, slot bytea, tells boolean)
returns uuid language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  settled uuid;
begin
  -- The row is the proof: the sweeper takes it together with the object. Its lease says from when it may, and a clock that
  -- jumps must not cost the outputs whose intents were opened before.
  delete from assets.upload u where u.object_key = staged;
  if not found then return null; end if;
  insert into assets.blob as b (hash, object_key, size_bytes, created_at)
    values (bytes_hash, staged, bytes_size, instant)
    on conflict (hash) do update set condemned_at = null, damaged_at = null,
      object_key = case when b.damaged_at is null then b.object_key else excluded.object_key end,
      former_keys = case when b.damaged_at is null then b.former_keys else b.former_keys || b.object_key end
    returning b.object_key into settled;
  if settled <> staged then
    insert into assets.delete_task (object_key, created_at) values (staged, instant);
  end if;
  insert into assets.asset (id, account_id, deployment_id, hash, size_bytes, content_type, file_path, tags, tag_set,
                            created_at, expires_at, job_id, fence, output_key, retained_until)
    values (new_asset, account, deployment, bytes_hash, bytes_size, media_type, path, '{}', '{}',
            instant, expiry, job, lease_fence, slot, expiry);
  if tells then
    insert into assets.outbox (type, hash, asset_id, account_id, deployment_id, size_bytes, job_id, recorded_at)
      values ('AssetMinted', bytes_hash, new_asset, account, deployment, bytes_size, job, instant);
  end if;
  return settled;
end $$;
`;
