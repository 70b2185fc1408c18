/** Limits of one multipart body, in bytes unless stated otherwise (reliability 4.2). */
export interface MultipartLimits {
  /** The part `file`. */
  readonly fileBytes: number;
  /** The whole body, including delimiters, headers and epilogue. */
  readonly totalBytes: number;
  /** Header block of one part; also the preamble. */
  readonly headBytes: number;
  /** Value of one part other than `file`. */
  readonly fieldBytes: number;
  /** Number of parts, not counting `tags`. */
  readonly parts: number;
  /** Number of parts named `tags`. */
  readonly tags: number;
}

/** Why a body is refused; `field` names the part, if there is one. */
export type MultipartRefusal =
  | { readonly kind: 'malformed'; readonly problem: string; readonly field?: string }
  | { readonly kind: 'too_large'; readonly what: 'file' | 'upload'; readonly limit: number };

export function malformed(problem: string, field?: string): MultipartRefusal {
  return { kind: 'malformed', problem, ...(field === undefined ? {} : { field }) };
}
