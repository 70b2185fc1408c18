import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import { pageBehind } from '@heddle/platform-http/ops-server';

type RequestHead = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

/** Who may use the admin API: programs that hold its token, never a web page. */
export class AdminGate {
  readonly #digest: Buffer;

  constructor(
    token: string,
    /** Address that the operations port listens on. */
    private readonly listensOn: string,
  ) {
    this.#digest = digest(token);
  }

  /** Refuses what a web page sends, then a head that cannot be meant, before anything else is read. */
  guard({ url = '', headers, rawHeaders }: RequestHead): Rejection | null {
    if (pageBehind(headers, this.listensOn) !== null) return refuse('forbidden_origin', { case: 'admin' });
    const names = rawHeaders.filter((_, at) => at % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === 'authorization').length > 1)
      return refuse('bad_request', { case: 'authorizations' });
    // No name holds the character zero, and the database takes no text with one.
    return url.includes('%00') ? refuse('bad_request', { case: 'target_encoding' }) : null;
  }

  /** Digests are compared, so that timing reveals neither the length nor the first difference. */
  admit({ authorization = '' }: IncomingHttpHeaders): Rejection | null {
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    return timingSafeEqual(digest(given), this.#digest) ? null : refuse('unauthorized', { case: 'admin' });
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'latin1').digest();
}
