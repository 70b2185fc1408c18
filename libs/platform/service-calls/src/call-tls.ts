import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** PEM texts. With `ca`, the other side must present a certificate that the authority signed. */
export interface CallTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
  /** The name that a certificate must carry where a service is called by address. */
  readonly name?: string;
}

/** The certificates of a process, which may be renewed. New connections take the current ones; open ones keep theirs. */
export class RenewableTls {
  readonly #listeners = new Set<() => void>();
  #current: CallTls;

  /** @throws if they cannot be used, for example a key of another certificate, or one that has expired. */
  constructor(tls: CallTls) {
    assertUsable(tls);
    this.#current = tls;
  }

  get current(): CallTls {
    return this.#current;
  }

  /** @throws if they cannot be used; the current ones stay. */
  renew(tls: CallTls): void {
    assertUsable(tls);
    this.#current = tls;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each renewal, until the returned function is called. */
  onRenewed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** An expired certificate would be refused by every other process, so it must not replace one that works. */
function assertUsable(tls: CallTls): void {
  createSecureContext(tls);
  if (tls.cert === undefined) return;
  const expiresAt = new Date(new X509Certificate(tls.cert).validTo);
  if (expiresAt.getTime() <= Date.now())
    throw new Error(`the certificate expired on ${expiresAt.toISOString()}; renew it`);
}
