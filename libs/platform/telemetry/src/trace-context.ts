/** W3C trace context as text: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function parseTraceparent(header: string | undefined): string | null {
  return header !== undefined && TRACEPARENT.test(header) ? header : null;
}

/** The trace id of a context. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
