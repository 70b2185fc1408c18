import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from './trace-context.js';

/** What goes along with every call that is made, and every line that is logged, while a request is served. */
export interface CallContext {
  readonly requestId: string;
  /** W3C trace context, if any. */
  readonly traceparent: string | null;
  /** The job that the work is for, where that is known. */
  readonly jobId?: string;
}

const contexts = new AsyncLocalStorage<CallContext>();

/** Runs `work` so that the calls it makes, at once or later, carry this request id and trace context. */
export function withCallContext<T>(context: CallContext, work: () => T): T {
  return contexts.run(context, work);
}

interface AnyRequest {
  readonly id: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Fastify's `onRequest` hook of a service that has a public part: what its requests make it call carries their ids. */
export function carryCallContext({ id, headers }: AnyRequest, _reply: unknown, done: () => void): void {
  const { traceparent } = headers;
  const parent = parseTraceparent(Array.isArray(traceparent) ? traceparent[0] : traceparent);
  withCallContext({ requestId: id, traceparent: parent }, done);
}

/** Null outside of any request. */
export function currentCallContext(): CallContext | null {
  return contexts.getStore() ?? null;
}

/** The ids of the current work, as the log names them; none outside of any. */
export function contextOfLogLine(): Record<string, string> {
  const context = contexts.getStore();
  if (context === undefined) return {};
  const { requestId, traceparent, jobId } = context;
  return {
    request_id: requestId,
    ...(traceparent === null ? {} : { trace_id: traceparent.slice(3, 35) }),
    ...(jobId === undefined ? {} : { job_id: jobId }),
  };
}
