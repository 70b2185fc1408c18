/** Limits of HTTP itself (reliability limits, 4.2); body limits are applied where bodies are read. */
export interface HttpLimits {
  /** Maximum JSON body in bytes. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly urlBytes: number;
  readonly headersTimeoutMs: number;
  /** Time-out for a JSON body. */
  readonly bodyTimeoutMs: number;
  /** Time-out for any request, uploads included. */
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
