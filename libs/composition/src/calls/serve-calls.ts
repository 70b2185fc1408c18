import { serveCallsPort } from '@heddle/platform-service-calls/serve';
import type { ByteRoute, EndedCall, ServedContext } from '@heddle/platform-service-calls/serve';
import type { Tracer } from '@heddle/platform-telemetry';
import { isReady } from '@heddle/platform-http/ops-server';
import { isDependencyAway } from '../connect/is-dependency-away.js';
import { assertPortsFree, listening } from '../process/listen.js';
import type { ServiceProcess } from '../process/service-process.js';
import { networkLimits } from '../settings/process-settings.js';
import { PROCESS_METRICS } from '../metrics.js';
import { tokenRules } from './calls-settings.js';
import { refusePlainListener } from './plain-calls.js';
import { renewedCallsTls } from './renew-tls.js';

interface ServedCalls {
  readonly tracer: Tracer | null;
  /** Contexts that are served over gRPC */
  readonly contexts: readonly ServedContext[];
  /** Byte routes, over HTTP/1.1 */
  readonly bytes?: readonly ByteRoute[];
}

/** Statuses of failed authentication or authorization */
const REFUSED: readonly string[] = ['UNAUTHENTICATED', 'PERMISSION_DENIED'];

/** For the parts that a stop ends after the calls. */
const REST_OF_STOP_MS = 4_500;

/** Serves the calls of other services on HEDDLE_CALLS_PORT, and bytes on HEDDLE_BYTES_PORT. Resolves when it accepts them. */
export async function serveCalls(service: ServiceProcess, { tracer, contexts, bytes }: ServedCalls): Promise<void> {
  const { settings, logger, metrics, nestLog } = service;
  refusePlainListener(settings);
  const seconds = metrics.histogram(PROCESS_METRICS.callSeconds);
  const refused = metrics.counter(PROCESS_METRICS.callsRefused);
  const options = {
    host: settings.callsHost,
    port: settings.callsPort,
    tls: renewedCallsTls(service),
    tokens: tokenRules(service),
    logger,
    tracer,
    isOutage: isDependencyAway,
    connections: service.ports.guard('calls'),
    bodies: service.bodies,
    headMs: networkLimits(settings).headMs,
    maxBodyBytes: settings.bodyBytes,
    contexts,
    bytes,
    ...(bytes === undefined ? {} : { bytesPort: settings.bytesPort }),
    // An upload that has begun ends, if the stop is long enough.
    transferGraceMs: Math.max(0, settings.stop * 1_000 - REST_OF_STOP_MS),
    isReady: () => isReady(service.readiness),
    nestLog,
    observe: ({ path, status, ms }: EndedCall) => {
      seconds.observe({ path, status }, ms / 1000);
      if (REFUSED.includes(status)) refused.inc({ status });
    },
  };
  if (bytes !== undefined)
    await assertPortsFree([{ setting: 'HEDDLE_BYTES_PORT', host: settings.callsHost, port: settings.bytesPort }]);
  const served = await listening('HEDDLE_CALLS_PORT', settings.callsPort, () => serveCallsPort(options));
  service.onStop('calls of other services', () => served.close());
}
