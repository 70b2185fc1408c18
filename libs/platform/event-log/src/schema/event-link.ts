/** The digest of the data that released steps computed, and the one that also serves an event whose payload was forgotten. */
const RELEASED_DIGEST = 'sha256(e.data)';
const DIGEST = 'coalesce(e.data_digest, sha256(e.data))';

/**
 * What of an event `e` enters the hash chain, as an SQL expression; `LinkBytes` in verify-log is its twin and must stay so.
 * A head of fixed width, two texts that a zero byte ends (no stored text can hold one), and the digest of the data.
 * Neither txid nor position: they belong to the server, and a log that was restored elsewhere keeps its chain.
 */
export const EVENT_LINK = linkWith(DIGEST);

/** As it stands in released steps, whose text is frozen. */
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
