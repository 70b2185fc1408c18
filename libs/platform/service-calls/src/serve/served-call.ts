import { AsyncLocalStorage } from 'node:async_hooks';
import { newUuid } from '@heddle/contracts-messages';
import type { SpanHandle, Tracer } from '@heddle/platform-telemetry';
import type { ServiceIdentity } from '../identity/service-token.js';

export interface ServedCall {
  readonly path: string;
  readonly caller: ServiceIdentity;
}

const SAFE_ID = /^[A-Za-z0-9._:+/=@-]{1,200}$/;
const served = new AsyncLocalStorage<ServedCall>();

export function whileServed<T>(call: ServedCall, work: () => T): T {
  return served.run(call, work);
}

/** The call that is being served. Throws outside of a call. */
export function servedCall(): ServedCall {
  const call = served.getStore();
  if (call === undefined) throw new Error('no call is being served');
  return call;
}

/** The caller of the call that is being served. Throws outside of a call. */
export function callerOf(): ServiceIdentity {
  return servedCall().caller;
}

/** Returns null outside of a trace: a call without a request, such as a heartbeat, starts none. */
export function spanOf(
  { tracer }: { readonly tracer?: Tracer | null },
  { path, caller }: ServedCall,
  parent: string | null,
): SpanHandle | null {
  if (parent === null) return null;
  return tracer?.startSpan(path, parent, { kind: 'server', attributes: { 'heddle.caller': caller.service } }) ?? null;
}

export function safeId(given: string | undefined): string {
  return given !== undefined && SAFE_ID.test(given) ? given : newUuid();
}
