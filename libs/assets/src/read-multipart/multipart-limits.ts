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
export interface MultipartRefusal {
  readonly code: 'invalid_request' | 'payload_too_large';
  readonly message: string;
  readonly field?: string;
}

export function malformed(message: string, field?: string): MultipartRefusal {
  return { code: 'invalid_request', message, ...(field === undefined ? {} : { field }) };
}
