import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from './trace-context.js';

/** Context of every call and log line while a request is served. */
export interface CallContext {
  readonly requestId: string;
  /** W3C trace context, if any. */
  readonly traceparent: string | null;
  /** The job that the work belongs to, if known. */
  readonly jobId?: string;
}

const contexts = new AsyncLocalStorage<CallContext>();

/** Runs `work` so that its calls, now or later, carry this request id and trace context. */
export function withCallContext<T>(context: CallContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Runs `work` so that it, now or later, belongs to no request: for loops that a request only wakes. */
export function outsideOfCalls<T>(work: () => T): T {
  return contexts.exit(work);
}

interface AnyRequest {
  readonly id: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Fastify `onRequest` hook of a service with a public part: calls made for a request carry its ids. */
export function carryCallContext({ id, headers }: AnyRequest, _reply: unknown, done: () => void): void {
  const { traceparent } = headers;
  const parent = parseTraceparent(Array.isArray(traceparent) ? traceparent[0] : traceparent);
  withCallContext({ requestId: id, traceparent: parent }, done);
}

/** Null outside of a request. */
export function currentCallContext(): CallContext | null {
  return contexts.getStore() ?? null;
}

/** Ids of the current work for log lines; empty outside of any work. */
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
