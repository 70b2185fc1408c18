/** Default of HEDDLE_BODY_BYTES */
export const MAX_BODY_DEFAULT_BYTES = 10 * 1024 ** 2;

/** Room in a message beside a client's body, for example for asset ids */
const BESIDE_BODY_BYTES = 6 * 1024 ** 2;
/** Margin above the limit of any call, so that the refusal names the limit of the call and not of the server. */
const ABOVE_CALL_BYTES = 1024 ** 2;

/** Limit on a call that carries a client's body */
export function maxCallBytes(maxBodyBytes: number): number {
  return maxBodyBytes + BESIDE_BODY_BYTES;
}

/** Limit on any message of a caller */
export function maxMessageBytes(maxBodyBytes: number): number {
  return maxCallBytes(maxBodyBytes) + ABOVE_CALL_BYTES;
}
