import type { CallFailure } from '../generated/heddle/common/v1/common.js';

type Failure = { readonly $case: 'failure'; readonly value: CallFailure };
type Result = Failure | { readonly $case: string; readonly value: object } | undefined;

/** The failure of one call of a batch; undefined if the call was answered. */
export function failureIn({ result }: { readonly result?: Result }): CallFailure | undefined {
  return result !== undefined && isFailure(result) ? result.value : undefined;
}

/** The answer to one failed call of a batch. */
export function failureResult(value: CallFailure): { result: { $case: 'failure'; value: CallFailure } } {
  return { result: { $case: 'failure', value } };
}

function isFailure(result: NonNullable<Result>): result is Failure {
  return result.$case === 'failure';
}
