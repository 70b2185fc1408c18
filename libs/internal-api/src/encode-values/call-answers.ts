import { accepted, rejected } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';
import type { Rejection as RejectionMessage } from '../generated/heddle/common/v1/common.js';
import { rejectionMessage, rejectionOf } from './rejections.js';

/** The `result` of a response: a value under its name, or a rejection. */
type Result<Name extends string, Value> =
  { $case: Name; value: Value } | { $case: 'rejection'; value: RejectionMessage };

export function resultOf<Name extends string, T, Value>(
  name: Name,
  answer: Answer<T>,
  messageOf: (value: T) => Value,
): { result: Result<Name, Value> } {
  if (answer.ok) return { result: { $case: name, value: messageOf(answer.value) } };
  return { result: { $case: 'rejection', value: rejectionMessage(answer.rejection) } };
}

export function answerOf<Value, T>(
  { result }: { readonly result?: Result<string, Value> | undefined },
  valueOf: (message: Value) => T,
): Answer<T> {
  if (result === undefined) throw new EmptyAnswerError();
  if (isRejection(result)) return rejected(rejectionOf(result.value));
  return accepted(valueOf(result.value));
}

/** A response without the field that must be in it. */
export class EmptyAnswerError extends Error {
  constructor() {
    super('the service answered with neither a value nor a rejection');
  }
}

function isRejection(result: Result<string, unknown>): result is { $case: 'rejection'; value: RejectionMessage } {
  return result.$case === 'rejection';
}
