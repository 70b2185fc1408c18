import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import { pageBehind } from '@heddle/platform-http/ops-server';

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

  /** Refuses what a web page sends, before anything else is read. */
  guard(headers: IncomingHttpHeaders): Rejection | null {
    return pageBehind(headers, this.listensOn) === null ? null : refuse('forbidden_origin', { case: 'admin' });
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
