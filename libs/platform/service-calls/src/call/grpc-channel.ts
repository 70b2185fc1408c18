import { credentials, Metadata } from '@grpc/grpc-js';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import type { CallTls } from '../call-tls.js';

/** A service that answers no ping for so long is frozen or gone: its callers go elsewhere. */
const KEEPALIVE_MS = 2_000;
const KEEPALIVE_TIMEOUT_MS = 1_500;

export interface GrpcTarget {
  readonly address: string;
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** How a client reaches a service at a URL such as `http://jobs:8390` or, over TLS, `https://jobs:8390`. */
export function grpcTarget(url: string, tls: CallTls | null): GrpcTarget {
  const { protocol, host } = new URL(url);
  return {
    address: `dns:///${host}`,
    credentials: protocol === 'https:' ? tlsCredentials(tls) : credentials.createInsecure(),
    options: {
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.keepalive_permit_without_calls': 1,
      // What a service sends is as large as what its clients may submit.
      'grpc.max_receive_message_length': -1,
      // A name with several addresses: callers spread over them, and a call that begins anew looks again.
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ pick_first: { shuffleAddressList: true } }] }),
      'grpc.use_local_subchannel_pool': 1,
    },
  };
}

/** The head of a call: who makes it. */
export function callMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

function tlsCredentials(tls: CallTls | null): ChannelCredentials {
  const bytes = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(bytes(tls?.ca), bytes(tls?.key), bytes(tls?.cert));
}
