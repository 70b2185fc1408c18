import { credentials, Metadata } from '@grpc/grpc-js';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import type { CallTls } from '../call-tls.js';
import { identityCheck } from './service-names.js';

/** Keepalive interval and time-out: after it, a silent service counts as gone. */
const KEEPALIVE_MS = 2_000;
const KEEPALIVE_TIMEOUT_MS = 1_500;

export interface GrpcTarget {
  readonly address: string;
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** Channel parameters for a URL: `http://jobs:8390`, or `https://jobs:8390` with TLS. */
export function grpcTarget(url: string, tls: CallTls | null): GrpcTarget {
  const { protocol, host } = new URL(url);
  return {
    address: `dns:///${host}`,
    credentials: protocol === 'https:' ? tlsCredentials(url, tls) : credentials.createInsecure(),
    options: {
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
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

function tlsCredentials(url: string, tls: CallTls | null): ChannelCredentials {
  const bytes = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(bytes(tls?.ca), bytes(tls?.key), bytes(tls?.cert), {
    checkServerIdentity: identityCheck('jobs', [new URL(url).origin], tls ?? {}),
  });
}
