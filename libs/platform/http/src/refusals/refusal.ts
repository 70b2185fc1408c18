/** A refusal of any catalogue: its application turns it into an answer. */
export interface Refusal {
  readonly code: string;
  /** Never contains a credential. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds, at least 1; only with codes that carry Retry-After. */
  readonly retryAfterSeconds?: number;
}
