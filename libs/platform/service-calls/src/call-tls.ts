/** PEM texts. With `ca`, the other side has to show a certificate that it signed. */
export interface CallTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
}
