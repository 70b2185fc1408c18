import { CallServer } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { serveCallsPort, startCalls } from '@heddle/platform-service-calls/serve';
import type { ByteRoute, EndedCall, ServeCallsOptions, ServedContext } from '@heddle/platform-service-calls/serve';
import type { Tracer } from '@heddle/platform-telemetry';
import { isReady } from '@heddle/platform-http/ops-server';
import { isDependencyAway } from '../connect/is-dependency-away.js';
import { guardConnections } from '../process/guard-connections.js';
import { listening } from '../process/listen.js';
import type { ServiceProcess } from '../process/service-process.js';
import { networkLimits } from '../settings/process-settings.js';
import { PROCESS_METRICS } from '../metrics.js';
import { callsTls, tokenRules } from './calls-settings.js';
import { refusePlainListener } from './plain-calls.js';
import { renewCallsTls } from './renew-tls.js';

export interface ServedCalls {
  readonly tracer: Tracer | null;
  /** Contexts served over gRPC. */
  readonly contexts: readonly ServedContext[];
  /** Calls that carry bytes. */
  readonly bytes?: readonly ByteRoute[];
  /** Adds the calls that are still served over the wire of before. */
  routes?(calls: CallRoutes): void;
}

/** Statuses for callers that fail authentication or authorization. */
const REFUSED: readonly string[] = ['UNAUTHENTICATED', 'PERMISSION_DENIED', '401', '403'];

/** Serves the calls of other services on HEDDLE_CALLS_PORT. Resolves when it accepts them. */
export async function serveCalls(
  service: ServiceProcess,
  { tracer, contexts, bytes, routes }: ServedCalls,
): Promise<void> {
  const { settings, logger, metrics, nestLog } = service;
  refusePlainListener(settings);
  const seconds = metrics.histogram(PROCESS_METRICS.callSeconds);
  const refused = metrics.counter(PROCESS_METRICS.callsRefused);
  const options = {
    host: settings.callsHost,
    port: settings.callsPort,
    tls: callsTls(settings),
    tokens: tokenRules(service),
    logger,
    tracer,
    isOutage: isDependencyAway,
    connections: guardConnections(service, 'calls'),
    bodies: service.bodies,
    headMs: networkLimits(settings).headMs,
    contexts,
    isReady: () => isReady(service.readiness),
    nestLog,
    observe: ({ path, status, ms }: EndedCall) => {
      seconds.observe({ path, status }, ms / 1000);
      if (REFUSED.includes(status)) refused.inc({ status });
    },
  };
  const listen = async (): Promise<void> => {
    const served =
      routes === undefined ? await serveCallsPort({ ...options, bytes }) : await serveBoth(options, routes);
    service.onStop(() => served.close());
    renewCallsTls(service, served);
  };
  await listening('HEDDLE_CALLS_PORT', settings.callsPort, listen);
}

/** While contexts move: calls over the wire of before come on the same port. */
async function serveBoth(
  options: ServeCallsOptions,
  routes: (calls: CallRoutes) => void,
): Promise<{ close(): Promise<unknown>; renewTls(): void }> {
  const grpc = await startCalls(options);
  const { observe } = options;
  const port = new CallServer({
    ...options,
    http2: (connection) => grpc.take(connection),
    observe: ({ path, status, ms }) => observe?.({ path, status: String(status), ms }),
  });
  routes(port);
  await port.listen();
  return { close: () => Promise.all([port.close(), grpc.close()]), renewTls: () => undefined };
}
