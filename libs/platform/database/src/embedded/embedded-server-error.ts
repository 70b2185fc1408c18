/** The embedded server cannot be started on this machine as it is; the message says why and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}
