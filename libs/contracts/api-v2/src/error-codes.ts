import { ACCESS_ERRORS } from './errors/access-errors.js';
import { ASSET_ERRORS } from './errors/asset-errors.js';
import { DEPLOYMENT_ERRORS } from './errors/deployment-errors.js';
import type { ErrorText } from './errors/error-entry.js';
import { HTTP_ERRORS } from './errors/http-errors.js';
import { JOB_ERRORS } from './errors/job-errors.js';
import { SUBMISSION_ERRORS } from './errors/submission-errors.js';

/**
 * The only catalogue of v2 errors: for each code its status, whether Retry-After is sent, and the text of each case.
 */
export const ERROR_CODES = {
  ...HTTP_ERRORS,
  ...ACCESS_ERRORS,
  ...DEPLOYMENT_ERRORS,
  ...ASSET_ERRORS,
  ...JOB_ERRORS,
  ...SUBMISSION_ERRORS,
};

export type ApiErrorCode = keyof typeof ERROR_CODES;

type TextsOf<Code extends ApiErrorCode> = (typeof ERROR_CODES)[Code]['texts'];

/** A case of a code with the parameters of its text. */
export type ErrorCase<Code extends ApiErrorCode> = {
  [Case in keyof TextsOf<Code>]: { readonly case: Case } & (TextsOf<Code>[Case] extends (parameters: infer P) => string
    ? P
    : unknown);
}[keyof TextsOf<Code>];

/** The text of a case. */
export function errorText<Code extends ApiErrorCode>(code: Code, what: ErrorCase<Code>): ErrorText {
  const texts = ERROR_CODES[code].texts as Readonly<Record<PropertyKey, string | ((parameters: unknown) => string)>>;
  const text = texts[what.case]!;
  return (typeof text === 'string' ? text : text(what)) as ErrorText;
}

/** api-v2, ErrorEnvelope */
export interface ErrorEnvelope {
  readonly error: { readonly code: ApiErrorCode; readonly message: ErrorText; readonly details?: object };
}
