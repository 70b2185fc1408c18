import { CallServer } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { startCalls } from '@heddle/platform-service-calls/serve';
import type { ServedContext } from '@heddle/platform-service-calls/serve';
import type { Tracer } from '@heddle/platform-telemetry';
import { isDependencyAway } from '../connect/is-dependency-away.js';
import { guardConnections } from '../process/guard-connections.js';
import { listening } from '../process/listen.js';
import type { ServiceProcess } from '../process/service-process.js';
import { networkLimits } from '../settings/process-settings.js';
import { PROCESS_METRICS } from '../metrics.js';
import { callsTls, tokenRules } from './calls-settings.js';
import { refusePlainListener } from './plain-calls.js';

export interface ServedCalls {
  readonly tracer: Tracer | null;
  /** What is served over gRPC. */
  readonly contexts: readonly ServedContext[];
  /** Adds the calls that are still served over the wire of before. */
  routes?(calls: CallRoutes): void;
}

/** Serves the calls of other services on HEDDLE_CALLS_PORT. Resolves when they can come. */
export async function serveCalls(service: ServiceProcess, { tracer, contexts, routes }: ServedCalls): Promise<void> {
  const { settings, logger, metrics, nestLog } = service;
  refusePlainListener(settings);
  const seconds = metrics.histogram(PROCESS_METRICS.callSeconds);
  const refused = metrics.counter(PROCESS_METRICS.callsRefused);
  const parts = {
    tokens: tokenRules(service),
    logger,
    tracer,
    isOutage: isDependencyAway,
    connections: guardConnections(service, 'calls'),
    bodies: service.bodies,
    headMs: networkLimits(settings).headMs,
  };
  const observed = (refusals: readonly unknown[]) => (call: { path: string; status: string | number; ms: number }) => {
    seconds.observe({ path: call.path, status: String(call.status) }, call.ms / 1000);
    if (refusals.includes(call.status)) refused.inc({ status: String(call.status) });
  };
  const observe = observed(['UNAUTHENTICATED', 'PERMISSION_DENIED']);
  const grpc = await startCalls({ ...parts, contexts, nestLog, observe });
  const port = new CallServer({
    ...parts,
    host: settings.callsHost,
    port: settings.callsPort,
    tls: callsTls(settings),
    http2: (connection) => grpc.take(connection),
    observe: observed([401, 403]),
  });
  routes?.(port);
  await listening('HEDDLE_CALLS_PORT', settings.callsPort, () => port.listen());
  service.onStop(() => Promise.all([port.close(), grpc.close()]));
}
