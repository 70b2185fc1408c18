import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import { BearerToken, checkCredentialsForm } from '@heddle/platform-http';
import { pageBehind } from '@heddle/platform-http/ops-server';

type RequestHead = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

/** Who may use the admin API: programs that hold its token, never a web page. */
export class AdminGate {
  readonly #token: BearerToken;

  constructor(
    token: string,
    /** Address that the operations port listens on. */
    private readonly listensOn: string,
  ) {
    this.#token = new BearerToken(token);
  }

  /** Refuses what a web page sends, then a head that cannot be meant, before anything else is read. */
  guard({ url = '', headers, rawHeaders }: RequestHead): Rejection | null {
    if (pageBehind(headers, this.listensOn) !== null) return refuse('forbidden_origin', { case: 'admin' });
    const malformed = checkCredentialsForm({ url, rawHeaders });
    if (malformed !== null) return malformed;
    // No name holds the character zero, and the database takes no text with one.
    return url.includes('%00') ? refuse('bad_request', { case: 'target_encoding' }) : null;
  }

  admit({ authorization }: IncomingHttpHeaders): Rejection | null {
    return this.#token.matches(authorization) ? null : refuse('unauthorized', { case: 'admin' });
  }
}
