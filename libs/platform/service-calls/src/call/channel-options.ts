import type { ChannelOptions, MethodDefinition } from '@grpc/grpc-js';
import { maxMessageBytes } from '../message-limits.js';

export type CalledMethod = Pick<MethodDefinition<never, unknown>, 'path'>;

/** Interval of keepalive pings: calls leave a frozen service early. */
const CALLER_KEEPALIVE_INTERVAL_MS = 1_000;
/** Longer than a busy process takes to read an answer: grpc-js counts an unread answer as missing. */
const CALLER_KEEPALIVE_TIMEOUT_MS = 3_000;
/** First backoff before a reconnect */
const FIRST_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 1_000;
/** The retry buffer of a channel holds this many calls of the maximum size. */
const RETRIED_LARGE_CALLS = 4;

const RETRY_POLICY = {
  maxAttempts: 5,
  initialBackoff: '0.05s',
  maxBackoff: '0.5s',
  backoffMultiplier: 2,
  // grpc-js reports a reset stream as CANCELLED. It does not retry calls that this process cancels.
  retryableStatusCodes: ['UNAVAILABLE', 'CANCELLED'],
};

/** Options of every channel to a service. Only repeatable calls are retried if they may have arrived. */
export function channelOptions(repeatable: readonly CalledMethod[], maxBodyBytes: number): ChannelOptions {
  const largest = maxMessageBytes(maxBodyBytes);
  return {
    'grpc.keepalive_time_ms': CALLER_KEEPALIVE_INTERVAL_MS,
    'grpc.keepalive_timeout_ms': CALLER_KEEPALIVE_TIMEOUT_MS,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.min_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_MS,
    // The service limits its answers.
    'grpc.max_receive_message_length': -1,
    'grpc.per_rpc_retry_buffer_size': largest,
    'grpc.retry_buffer_size': RETRIED_LARGE_CALLS * largest,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: repeatable.map(({ path }) => ({ name: [nameOf(path)], retryPolicy: RETRY_POLICY })),
    }),
  };
}

function nameOf(path: string): { service: string; method: string } {
  const [, service = '', method = ''] = path.split('/');
  return { service, method };
}
