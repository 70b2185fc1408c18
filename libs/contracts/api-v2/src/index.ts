export { ERROR_CODES } from './error-codes.js';
export type { ApiErrorCode, ErrorEnvelope } from './error-codes.js';
