import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

/** What a request says before its route is known. */
export interface RequestHead {
  /** The target as it was sent. */
  readonly url?: string;
  /** Names and values in turn, as in `IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
}

/** `hdl_<id>_<secret>_<checksum>`, or `hdr_…`, however well each part is formed: a mistyped key is a secret too. */
const KEY_TEXT = /hd[lr]_[\w.~-]*?_[\w.~-]*?_/i;

const KEY_IN_TARGET = refuse('bad_request', { case: 'key_in_target' });
const AUTHORIZATIONS = refuse('bad_request', { case: 'authorizations' });

/**
 * Refuses a head whose credential cannot be meant: an API key in the target, which logs of proxies would keep, or two
 * Authorization headers, of which each server on the way could believe another one (accounts, Order of checks). The
 * answer repeats nothing of the request.
 */
export function checkCredentialsForm({ url = '', rawHeaders }: RequestHead): Rejection | null {
  if (holdsKey(url)) return KEY_IN_TARGET;
  let authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 13 && rawHeaders[at]!.toLowerCase() === 'authorization') authorizations += 1;
  }
  return authorizations > 1 ? AUTHORIZATIONS : null;
}

/** Whether a target holds the text of a key, percent-encoded or not. */
function holdsKey(target: string): boolean {
  if (KEY_TEXT.test(target)) return true;
  return target.includes('%') && KEY_TEXT.test(unescaped(target));
}

/** A target as a log line may hold it. */
export function loggedTarget(target: string): string {
  return holdsKey(target) ? '[holds a key]' : target;
}

/** Decodes characters of ASCII; malformed escapes stay. */
function unescaped(target: string): string {
  return target.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
