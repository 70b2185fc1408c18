import { newUuid } from '@heddle/contracts-messages';

const SAFE = /^[A-Za-z0-9._:+/=@-]{1,200}$/;

/** The caller's request id if it is well formed, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SAFE.test(header) ? header : newUuid();
}
