/** PEM texts. With `ca`, the other side must present a certificate that the authority signed. */
export interface CallTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
}
