import { REPEATABLE_CALLS } from '@heddle/internal-api';
import { CallServer } from '@heddle/platform-service-calls';
import { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { ServiceChannelOptions } from '@heddle/platform-service-calls/call';
import { startCalls } from '@heddle/platform-service-calls/serve';
import type { ServedContext, StartCallsOptions } from '@heddle/platform-service-calls/serve';
import { TOKENS, tokenOf } from './call-servers.js';

export interface ServedPort {
  readonly url: string;
  close(graceMs?: number): Promise<void>;
}

/** What a process of a service serves, on a free port of loopback or on a given one. */
export async function servingCalls(
  contexts: readonly ServedContext[],
  {
    port = 0,
    serve,
    ...options
  }: Partial<StartCallsOptions> & { port?: number; serve?: (calls: CallServer) => void } = {},
): Promise<ServedPort> {
  const grpc = await startCalls({ tokens: TOKENS, graceMs: 0, ...options, contexts });
  const server = new CallServer({
    host: '127.0.0.1',
    port,
    tokens: TOKENS,
    http2: (connection) => grpc.take(connection),
  });
  serve?.(server);
  await server.listen();
  const { url } = server;
  return { url, close: async () => void (await Promise.all([server.close(0), grpc.close()])) };
}

export function channelTo(
  service: string,
  targets: readonly string[],
  { token = tokenOf('gateway'), ...options }: Partial<Omit<ServiceChannelOptions, 'token'>> & { token?: string } = {},
): ServiceChannel {
  return new ServiceChannel({ service, targets, repeatable: REPEATABLE_CALLS, ...options, token: () => token });
}
