/** Bytes that were blocked, whose object still has the key that signed URLs of the store name. */
export const blockedObjectsSql = `
create table assets.move_task (
  hash text collate "C" primary key,
  queued_at timestamptz(3) not null,
  -- A process is at work on it until then.
  taken_until timestamptz(3)
);
create index move_task_due on assets.move_task (queued_at);
grant select, insert, update, delete on assets.move_task to heddle_assets;
`;
