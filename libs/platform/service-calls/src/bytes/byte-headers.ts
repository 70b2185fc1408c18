/** Headers and content types of the byte routes, published in docs/architecture/11-worker-protocol.md. */
export const DEADLINE = 'heddle-deadline-ms';
/** JSON head of a call with a streamed body */
export const STREAM_HEAD = 'heddle-head';
export const REQUEST_ID = 'x-request-id';
export const TRACEPARENT = 'traceparent';

export const JSON_TYPE = 'application/json';
export const BYTES_TYPE = 'application/octet-stream';

/** Limit on all headers of one call, and on the JSON body of a download. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** JSON in ASCII, because header values must be ASCII. */
export function headerJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
