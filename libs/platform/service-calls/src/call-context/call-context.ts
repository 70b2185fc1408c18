import { AsyncLocalStorage } from 'node:async_hooks';

/** What goes along with every call that is made while a request is served. */
export interface CallContext {
  readonly requestId: string;
  /** W3C trace context, if any. */
  readonly traceparent: string | null;
}

const contexts = new AsyncLocalStorage<CallContext>();

/** Runs `work` so that the calls it makes, at once or later, carry this request id and trace context. */
export function withCallContext<T>(context: CallContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Null outside of any request. */
export function currentCallContext(): CallContext | null {
  return contexts.getStore() ?? null;
}
