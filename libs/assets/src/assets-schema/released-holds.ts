/**
 * A released hold stays released, whatever a delayed process still sends: the row stays for a while, without the bytes
 * that it held. Its name is taken, so no late message or call can place it again.
 */
export const releasedHoldsSql = `
alter table assets.hold alter column hash drop not null, add column released_at timestamptz(3);
create index hold_released on assets.hold (released_at) where released_at is not null;
`;
