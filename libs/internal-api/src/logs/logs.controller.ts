import { LOG_BYTES, LOGGED_ENDS, LOGS_PORT } from '@heddle/contracts-messages';
import type { LoggedEnd, LogsPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { principalOf } from '../encode-values/call-values.js';
import { LogsServiceService } from '../generated/heddle/logs/v1/logs.js';
import type { CaptureRequest, CaptureResponse, ReadRequest, ReadResponse } from '../generated/heddle/logs/v1/logs.js';
import { GATEWAYS, WORKERS } from '../internal-calls.js';
import { callersLease, leaseOf, underLease } from '../lease-authority/callers-lease.js';
import { logMessage, verdictMessage } from './logs-wire.js';

/** Limit on the fields beside the text of a log. */
const HEAD_BYTES = 16 * 1024;

/** Serves LogsPort over gRPC. */
@GrpcController(LogsServiceService)
class LogsController implements Serving<typeof LogsServiceService> {
  constructor(@Inject(LOGS_PORT) private readonly logs: LogsPort) {}

  async capture({ text, truncated, complete, endedAs, ...named }: CaptureRequest): Promise<CaptureResponse> {
    const end = endedAs === '' ? null : namedEnd(endedAs);
    const log = { ...callersLease(named), text: text.toString('utf8'), truncated, complete, endedAs: end };
    return { verdict: verdictMessage(await underLease(async () => await this.logs.capture(log))) };
  }

  async read({ principal, jobId, fence, endedAs }: ReadRequest): Promise<ReadResponse> {
    const ended = { ...leaseOf({ jobId, fence }), endedAs: namedEnd(endedAs) };
    return resultOf('log', await this.logs.read(principalOf(principal), ended), logMessage);
  }
}

export const LOGS_CALLS = {
  definition: LogsServiceService,
  rules: {
    capture: { openTo: WORKERS, maxBytes: LOG_BYTES + HEAD_BYTES },
    read: { openTo: GATEWAYS },
  },
  controller: LogsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of other services to the logs service. */
export function servedLogs(logs: LogsPort): readonly ServedContext[] {
  return [{ ...LOGS_CALLS, providers: [{ provide: LOGS_PORT, useValue: logs }] }];
}

function namedEnd(text: string): LoggedEnd {
  const end = LOGGED_ENDS.find((known) => known === text);
  if (end === undefined) throw new MalformedCallError('the call names no end that a log is kept for');
  return end;
}
