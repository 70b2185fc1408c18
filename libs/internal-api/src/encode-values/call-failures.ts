import type { CallFailure } from '../generated/heddle/common/v1/common.js';

type Failure = { readonly $case: 'failure'; readonly value: CallFailure };
type Result = Failure | { readonly $case: string; readonly value: object } | undefined;

/** The failure of one call of those that share a message; undefined where it was answered. */
export function failureIn({ result }: { readonly result?: Result }): CallFailure | undefined {
  return result !== undefined && isFailure(result) ? result.value : undefined;
}

/** The answer of a call that failed, in a message whose other calls may have been answered. */
export function failureResult(value: CallFailure): { result: { $case: 'failure'; value: CallFailure } } {
  return { result: { $case: 'failure', value } };
}

function isFailure(result: NonNullable<Result>): result is Failure {
  return result.$case === 'failure';
}
