/** Names of the headers and types of calls between services. Released names stay: old and new versions talk to each other. */
export const DEADLINE = 'heddle-deadline-ms';
/** JSON that goes with a streamed body, since that body is bytes and nothing else. */
export const STREAM_HEAD = 'heddle-head';
export const REQUEST_ID = 'x-request-id';
export const TRACEPARENT = 'traceparent';

export const JSON_TYPE = 'application/json';
/** Four bytes length of the JSON, the JSON, then raw bytes. */
export const PARTS_TYPE = 'application/x-heddle-parts';
/** Several calls of one path in one request: a parcel whose head has theirs, and whose bytes are theirs. */
export const BUNDLE_TYPE = 'application/x-heddle-bundle';
export const BYTES_TYPE = 'application/octet-stream';

/** Bytes of all headers of one call. */
export const HEADER_BYTES = 64 * 1024;

/** JSON in ASCII: header values are no place for anything else. */
export function headerJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
