/** Bounds of one multipart body, in bytes unless said (reliability 4.2). */
export interface MultipartLimits {
  /** Of the part `file`. */
  readonly fileBytes: number;
  /** Of everything, delimiters, heads and epilogue included. */
  readonly totalBytes: number;
  /** Header block of one part; the preamble too. */
  readonly headBytes: number;
  /** Value of one part other than `file`. */
  readonly fieldBytes: number;
  /** Number of parts, `tags` not counted. */
  readonly parts: number;
  /** Number of parts named `tags`. */
  readonly tags: number;
}

/** Why a body is not accepted; `field` names the part at fault where there is one. */
export type MultipartRefusal =
  | { readonly kind: 'malformed'; readonly problem: string; readonly field?: string }
  | { readonly kind: 'too_large'; readonly what: 'file' | 'upload'; readonly limit: number };

export function malformed(problem: string, field?: string): MultipartRefusal {
  return { kind: 'malformed', problem, ...(field === undefined ? {} : { field }) };
}
