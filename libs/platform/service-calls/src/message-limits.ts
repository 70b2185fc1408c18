/** The default of HEDDLE_BODY_BYTES. */
export const MAX_BODY_DEFAULT_BYTES = 10 * 1024 ** 2;

/** What stands beside the body of a client in a message, such as the ids of its assets. */
const BESIDE_BODY_BYTES = 6 * 1024 ** 2;
/** A little more than any call takes, so that the refusal of a message names the limit of its call. */
const ABOVE_CALL_BYTES = 1024 ** 2;

/** Of a call that carries the body of a client. */
export function maxCallBytes(maxBodyBytes: number): number {
  return maxBodyBytes + BESIDE_BODY_BYTES;
}

/** Of any message that a caller sends. */
export function maxMessageBytes(maxBodyBytes: number): number {
  return maxCallBytes(maxBodyBytes) + ABOVE_CALL_BYTES;
}
