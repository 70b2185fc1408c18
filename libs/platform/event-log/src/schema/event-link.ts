/**
 * What of an event `e` enters the hash chain, as an SQL expression; `chainLink` in verify-chain is its twin and must stay so.
 * A head of fixed width, two texts that a zero byte ends (no stored text can hold one), and the digest of the data.
 * Neither txid nor position: they belong to the server, and a log that was restored elsewhere keeps its chain.
 */
export const EVENT_LINK = `
  uuid_send(e.event_id) || uuid_send(e.stream_id) || int4send(e.version) || int2send(e.schema_version)
  || uuid_send(e.account_id) || uuid_send(e.deployment_id)
  || int8send(coalesce(e.fence, -1)) || int8send(coalesce(e.worker_seq, -1)) || boolsend(e.is_terminal)
  || timestamptz_send(e.recorded_at) || uuid_send(coalesce(e.causation_id, '00000000-0000-0000-0000-000000000000'))
  || convert_to(e.type, 'UTF8') || '\\x00'::bytea || convert_to(coalesce(e.correlation_id, ''), 'UTF8') || '\\x00'::bytea
  || sha256(e.data)`;
