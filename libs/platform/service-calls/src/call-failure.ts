/** How a call, or one item of a batch, failed, as it crosses the wire. */
export interface CallFailure {
  /** Status of gRPC */
  readonly status: number;
  /** A name that the caller knows, or '' */
  readonly code: string;
  readonly message: string;
}
