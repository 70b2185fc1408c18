/** Names of the headers and types of the byte routes, as docs/architecture/11-worker-protocol.md publishes them. */
export const DEADLINE = 'heddle-deadline-ms';
/** JSON that goes with a streamed body, since that body is bytes and nothing else. */
export const STREAM_HEAD = 'heddle-head';
export const REQUEST_ID = 'x-request-id';
export const TRACEPARENT = 'traceparent';

export const JSON_TYPE = 'application/json';
export const BYTES_TYPE = 'application/octet-stream';

/** Bytes of all headers of one call; what a download asks for, in JSON, is no longer either. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** JSON in ASCII: header values are no place for anything else. */
export function headerJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
