/** Limits of HTTP itself (reliability limits, 4.2); bodies have their own where they are read. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly urlBytes: number;
  readonly headersTimeoutMs: number;
  /** For a JSON body to arrive. */
  readonly bodyTimeoutMs: number;
  /** For any request, uploads included. */
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
}

export const HTTP_DEFAULTS: HttpLimits = {
  bodyBytes: 10 * 1024 * 1024,
  headerBytes: 16 * 1024,
  headerCount: 64,
  urlBytes: 4 * 1024,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  requestTimeoutMs: 630_000,
  keepAliveMs: 5_000,
};
