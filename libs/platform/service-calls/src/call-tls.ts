/** PEM texts. With `ca`, the other side must present a certificate that the authority signed. */
export interface CallTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
  /** The name that a certificate must carry where a service is called by address. */
  readonly name?: string;
}
