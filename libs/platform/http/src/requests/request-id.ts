import { newUuid } from '@heddle/contracts-messages';

const SAFE = /^[A-Za-z0-9._:+/=@-]{1,200}$/;
/** Request ids are logged and answered: an API key or a publisher's token that was put there by mistake must not be. */
const KEY = /hd[lr]_/i;

/** The caller's request id if it is well formed and no API key, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SAFE.test(header) && !KEY.test(header) ? header : newUuid();
}
