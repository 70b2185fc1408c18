import { maxMessageBytes } from '../message-limits.js';

/** Keepalive interval and time-out: after it, a silent caller counts as gone and its calls end. */
const SERVER_KEEPALIVE_INTERVAL_MS = 2_000;
const SERVER_KEEPALIVE_TIMEOUT_MS = 2_000;
/** Callers look names up when they connect. Only the end of a connection moves them to new replicas. */
const MAX_CONNECTION_AGE_MS = 300_000;
const MAX_CONNECTION_GRACE_MS = 30_000;

/** Options of every gRPC server. `maxBodyBytes`: maximum body of a client. */
export const serverOptions = (maxBodyBytes: number): object => ({
  'grpc.keepalive_time_ms': SERVER_KEEPALIVE_INTERVAL_MS,
  'grpc.keepalive_timeout_ms': SERVER_KEEPALIVE_TIMEOUT_MS,
  'grpc.max_connection_age_ms': MAX_CONNECTION_AGE_MS,
  'grpc.max_connection_age_grace_ms': MAX_CONNECTION_GRACE_MS,
  'grpc.max_receive_message_length': maxMessageBytes(maxBodyBytes),
});
