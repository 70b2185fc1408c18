/** Scheme and authority of a target in absolute form (RFC 9112, 3.2.2). */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** Path and query of a request target, also of one in absolute form. */
export function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '');
}
