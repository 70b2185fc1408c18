import { maxMessageBytes } from '../message-limits.js';

/** A caller that answers no ping for so long is gone: what was open for it ends. */
const KEEPALIVE_MS = 2_000;
const KEEPALIVE_TIMEOUT_MS = 2_000;
/** Names of addresses are looked up when a connection is made: its end is what brings callers to new replicas. */
const MAX_CONNECTION_AGE_MS = 300_000;
const MAX_CONNECTION_GRACE_MS = 30_000;

/** What every gRPC server is set to; `maxBodyBytes` is the largest body of a client. */
export const serverOptions = (maxBodyBytes: number): object => ({
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  'grpc.max_connection_age_ms': MAX_CONNECTION_AGE_MS,
  'grpc.max_connection_age_grace_ms': MAX_CONNECTION_GRACE_MS,
  'grpc.max_receive_message_length': maxMessageBytes(maxBodyBytes),
});
