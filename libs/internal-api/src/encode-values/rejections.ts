import type { Rejection } from '@heddle/contracts-messages';
import type { Rejection as RejectionMessage } from '../generated/heddle/common/v1/common.js';

export function rejectionMessage({ code, message, details, retryAfterSeconds }: Rejection): RejectionMessage {
  return { code, message, details: details === undefined ? undefined : JSON.stringify(details), retryAfterSeconds };
}

export function rejectionOf({ code, message, details, retryAfterSeconds }: RejectionMessage): Rejection {
  return {
    code: code as Rejection['code'],
    // The text comes from the error catalogue of the process that answered.
    message: message as Rejection['message'],
    ...(details === undefined ? {} : { details: JSON.parse(details) as Rejection['details'] & object }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
