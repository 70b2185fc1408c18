import { REPEATABLE_CALLS } from '@heddle/internal-api';
import { CallServer } from '@heddle/platform-service-calls';
import { BytesClient, ServiceChannel } from '@heddle/platform-service-calls/call';
import type { BytesClientOptions, ServiceChannelOptions } from '@heddle/platform-service-calls/call';
import { serveCallsPort, startCalls } from '@heddle/platform-service-calls/serve';
import type { ServeCallsOptions, ServedCalls, ServedContext } from '@heddle/platform-service-calls/serve';
import { TOKENS, tokenOf } from './call-servers.js';

export type { ServedCalls as ServedPort } from '@heddle/platform-service-calls/serve';

interface ServedOptions extends Partial<ServeCallsOptions> {
  /** Adds the calls that are still served over the wire of before. */
  readonly serve?: (calls: CallServer) => void;
}

/** What a process of a service serves, on a free port of loopback or on a given one. */
export async function servingCalls(
  contexts: readonly ServedContext[],
  { serve, ...given }: ServedOptions = {},
): Promise<ServedCalls> {
  const options = { host: '127.0.0.1', port: 0, tokens: TOKENS, graceMs: 0, ...given, contexts };
  if (serve === undefined) return await serveCallsPort(options);
  const grpc = await startCalls(options);
  const { host, port, tokens } = options;
  const server = new CallServer({ host, port, tokens, http2: (connection) => grpc.take(connection) });
  serve(server);
  await server.listen();
  const renewTls = (): void => undefined;
  return { url: server.url, renewTls, close: async () => void (await Promise.all([server.close(0), grpc.close()])) };
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
