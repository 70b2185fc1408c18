import { REPEATABLE_CALLS } from '@heddle/internal-api';
import { BytesClient } from '@heddle/platform-service-calls/bytes';
import { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { BytesClientOptions } from '@heddle/platform-service-calls/bytes';
import type { ServiceChannelOptions } from '@heddle/platform-service-calls/call';
import { serveCallsPort } from '@heddle/platform-service-calls/serve';
import type { ServeCallsOptions, ServedCalls, ServedContext } from '@heddle/platform-service-calls/serve';
import { TOKENS, tokenOf } from './call-servers.js';

/** Serves the contexts of a service on a free loopback port, or on the given one. */
export async function servingCalls(
  contexts: readonly ServedContext[],
  options: Partial<ServeCallsOptions> = {},
): Promise<ServedCalls> {
  return await serveCallsPort({ host: '127.0.0.1', port: 0, tokens: TOKENS, graceMs: 0, ...options, contexts });
}

type Made<Options> = Partial<Omit<Options, 'token'>> & { token?: string };

export function channelTo(
  service: string,
  targets: readonly string[],
  { token = tokenOf('gateway'), ...options }: Made<ServiceChannelOptions> = {},
): ServiceChannel {
  return new ServiceChannel({ service, targets, repeatable: REPEATABLE_CALLS, ...options, token: () => token });
}

export function bytesTo(
  service: string,
  targets: readonly string[],
  { token = tokenOf('gateway'), ...options }: Made<BytesClientOptions> = {},
): BytesClient {
  return new BytesClient({ service, targets, ...options, token: () => token });
}
