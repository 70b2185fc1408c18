/** Digest of the data as released steps compute it; the newer form below also covers events with a purged payload. */
const RELEASED_DIGEST = 'sha256(e.data)';
const DIGEST = 'coalesce(e.data_digest, sha256(e.data))';

/**
 * The part of an event `e` that enters the hash chain, as an SQL expression; keep it identical to `LinkBytes` in
 * verify-log. A fixed-width head, two texts that end with a zero byte (no stored text can contain one), and the digest
 * of the data. Transaction id and position are left out because they belong to the server: a restored log keeps its
 * chain.
 */
export const EVENT_LINK = linkWith(DIGEST);

/** As in the released steps, whose text is frozen. */
export const RELEASED_EVENT_LINK = linkWith(RELEASED_DIGEST);

function linkWith(digest: string): string {
  return `
  uuid_send(e.event_id) || uuid_send(e.stream_id) || int4send(e.version) || int2send(e.schema_version)
  || uuid_send(e.account_id) || uuid_send(e.deployment_id)
  || int8send(coalesce(e.fence, -1)) || int8send(coalesce(e.worker_seq, -1)) || boolsend(e.is_terminal)
  || timestamptz_send(e.recorded_at) || uuid_send(coalesce(e.causation_id, '00000000-0000-0000-0000-000000000000'))
  || convert_to(e.type, 'UTF8') || '\\x00'::bytea || convert_to(coalesce(e.correlation_id, ''), 'UTF8') || '\\x00'::bytea
  || ${digest}`;
}
