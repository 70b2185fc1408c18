import type { ChannelOptions, MethodDefinition } from '@grpc/grpc-js';
import { maxMessageBytes } from '../message-limits.js';

export type CalledMethod = Pick<MethodDefinition<never, unknown>, 'path'>;

/** A service that answers no ping for so long is frozen or gone: its calls go elsewhere. */
const KEEPALIVE_MS = 1_000;
/** More than a busy process needs to read an answer: grpc-js takes one that is not read yet for one that never came. */
const KEEPALIVE_TIMEOUT_MS = 3_000;
/** Of a service that was away. */
const FIRST_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 1_000;
/** Of all calls that may be sent again: so many of the largest ones. */
const RETRIED_LARGE_CALLS = 4;

const RETRY_POLICY = {
  maxAttempts: 5,
  initialBackoff: '0.05s',
  maxBackoff: '0.5s',
  backoffMultiplier: 2,
  // A reset stream reads as CANCELLED; a call that this process cancels itself is not made again.
  retryableStatusCodes: ['UNAVAILABLE', 'CANCELLED'],
};

/** How every channel to a service behaves; only the repeatable calls are made again where they may have arrived. */
export function channelOptions(repeatable: readonly CalledMethod[], maxBodyBytes: number): ChannelOptions {
  const largest = maxMessageBytes(maxBodyBytes);
  return {
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.min_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_MS,
    // What a service answers is bounded there.
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
