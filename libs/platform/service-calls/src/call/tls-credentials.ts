import { getCACertificates } from 'node:tls';
import type { checkServerIdentity } from 'node:tls';
import { experimental } from '@grpc/grpc-js';
import type { ChannelCredentials } from '@grpc/grpc-js';
import type { RenewableTls } from '../call-tls.js';

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** Gives a channel the current certificates for each new connection. */
class CurrentCertificates implements experimental.CertificateProvider {
  readonly #ends = new Map<CaListener | IdentityListener, () => void>();

  constructor(private readonly tls: RenewableTls | null) {}

  addCaCertificateListener(listener: CaListener): void {
    this.#tell(listener, () => {
      const ca = this.tls?.current.ca ?? getCACertificates('default').join('\n');
      listener({ caCertificate: Buffer.from(ca) });
    });
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#remove(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#tell(listener, () => {
      const { cert, key } = this.tls?.current ?? {};
      const isComplete = cert !== undefined && key !== undefined;
      listener(isComplete ? { certificate: Buffer.from(cert), privateKey: Buffer.from(key) } : null);
    });
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#remove(listener);
  }

  #tell(listener: CaListener | IdentityListener, tell: () => void): void {
    this.#ends.set(listener, this.tls?.onRenewed(tell) ?? (() => undefined));
    // As grpc-js's own provider does: never within the call.
    process.nextTick(tell);
  }

  #remove(listener: CaListener | IdentityListener): void {
    this.#ends.get(listener)?.();
    this.#ends.delete(listener);
  }
}

/** Credentials of a channel over TLS. Without certificates of our own, the authorities of Node verify the service. */
export function tlsCredentials(tls: RenewableTls | null, check: typeof checkServerIdentity): ChannelCredentials {
  const provider = new CurrentCertificates(tls);
  const identity = tls?.current.cert === undefined ? null : provider;
  return experimental.createCertificateProviderChannelCredentials(provider, identity, { checkServerIdentity: check });
}
