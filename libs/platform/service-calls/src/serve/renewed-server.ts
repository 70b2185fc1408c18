import type { Server } from 'node:tls';
import type { RenewableTls } from '../call-tls.js';

/** New connections of the server get renewed certificates, until the returned function is called. */
export function renewedOn(server: Server, tls: RenewableTls): () => void {
  return tls.onRenewed(() => {
    const { key, cert, ca } = tls.current;
    server.setSecureContext({ key, cert, ca });
  });
}
