const CONTENT_TYPE_MAX_BYTES = 127;

const mediaType = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*(;[ -~]*)?$/;

/** The problem of a media type, or null; parameters may follow it. */
export function contentTypeProblem(text: string): string | null {
  if (text.length > CONTENT_TYPE_MAX_BYTES) return `must be at most ${CONTENT_TYPE_MAX_BYTES} bytes`;
  if (!mediaType.test(text)) return 'must be a media type such as "image/png"';
  return null;
}
