import { code, ERROR_CODES, IDEMPOTENCY_KEY_RULE, later } from '@heddle/contracts-api-v2';

/** The vendor in a text: its kind, never its name or address. */
export interface AtVendor {
  readonly vendor: 'video' | 'image';
}

/** Refusals of the partner proxy, in Heddle's words: nothing of a vendor's text is in them. */
export const PROXY_ERRORS = {
  insufficient_credits: code(402, 'the balance does not cover the price of the task', {
    task: (amounts: { readonly required: number; readonly balance: number }) =>
      ERROR_CODES.insufficient_credits.texts.task(amounts),
  }),
  idempotency_key_reuse: code(422, 'the key was claimed before', {
    task: 'This Idempotency-Key was used by an earlier task. Send a new key for a new task.',
  }),
  vendor_error: code(502, 'the vendor refused the call or gave an answer that cannot be used', {
    failed: ({ vendor }: AtVendor) =>
      `The ${vendor} vendor could not take the call. Nothing is charged: send the request again later, with a new Idempotency-Key.`,
    account: ({ vendor }: AtVendor) =>
      `The ${vendor} vendor does not accept this service. Nothing is charged: ask the operator to check the vendor's key.`,
  }),
  vendor_not_configured: later('this service has no such vendor', {
    unset: ({ vendor }: AtVendor) =>
      `This service has no ${vendor} vendor. The setting HEDDLE_${vendor.toUpperCase()}VENDOR_URL names one.`,
  }),
  vendor_timeout: code(504, 'the vendor did not answer', {
    late: ({ vendor }: AtVendor) =>
      `The ${vendor} vendor did not answer in time. Nothing is charged: send the request again with a new Idempotency-Key.`,
  }),
} as const;

/** Cases of the partner proxy of codes that the registry has too. */
export const PROXY_CASES = {
  fields: ({ problems }: { readonly problems: readonly string[] }) =>
    `${problems.length === 1 ? 'A field is' : `${problems.length} fields are`} invalid: ${problems.join('; ')}.`,
  idempotency_key: `The header Idempotency-Key must have ${IDEMPOTENCY_KEY_RULE}.`,
  vendor_refused: ({ vendor }: AtVendor) =>
    `The ${vendor} vendor does not accept this input: an image may be unreadable, or the content not allowed.`,
  task: ERROR_CODES.not_found.texts.resource,
  callback: 'The callback has no valid signature, is too old, or was received before.',
  breaker: ({ vendor }: AtVendor) =>
    `The ${vendor} vendor failed several times in a row and is not called for a while. Send the request again later.`,
  busy: ({ vendor }: AtVendor) => `The ${vendor} vendor takes no more tasks now. Send the request again later.`,
} as const;
