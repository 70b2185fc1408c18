import { credentials, Metadata } from '@grpc/grpc-js';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import type { RenewableTls } from '../call-tls.js';
import { identityCheck } from './service-names.js';
import { tlsCredentials } from './tls-credentials.js';

/** Keepalive interval and time-out of a worker: after it, a silent jobs service counts as gone. */
const WORKER_KEEPALIVE_INTERVAL_MS = 2_000;
const WORKER_KEEPALIVE_TIMEOUT_MS = 1_500;

interface GrpcTarget {
  readonly address: string;
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** Channel parameters for a URL: `http://jobs:8390`, or `https://jobs:8390` with TLS. */
export function grpcTarget(url: string, tls: RenewableTls | null): GrpcTarget {
  const { protocol, host, origin } = new URL(url);
  return {
    address: `dns:///${host}`,
    credentials:
      protocol === 'https:'
        ? tlsCredentials(tls, identityCheck('jobs', [origin], tls?.current ?? {}))
        : credentials.createInsecure(),
    options: {
      'grpc.keepalive_time_ms': WORKER_KEEPALIVE_INTERVAL_MS,
      'grpc.keepalive_timeout_ms': WORKER_KEEPALIVE_TIMEOUT_MS,
      'grpc.keepalive_permit_without_calls': 1,
      // A service sends messages as large as a client's body.
      'grpc.max_receive_message_length': -1,
      // Spreads callers over the addresses of a name; a new call looks the name up again.
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ pick_first: { shuffleAddressList: true } }] }),
      'grpc.use_local_subchannel_pool': 1,
    },
  };
}

/** Metadata that authenticates a call. */
export function callMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}
