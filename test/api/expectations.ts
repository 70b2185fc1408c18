import { codeOf, describeAnswer, jsonOf, textOf } from '@heddle/testing-api';
import type { Answer, ErrorBody, NodeErrors } from '@heddle/testing-api';
import { expect } from 'vitest';
import { surface } from './surface.js';

/** Expects a refusal, and returns its error. The client has already checked the envelope. */
export function expectRefusal(answer: Answer, status: number, code: string): ErrorBody['error'] {
  expect(`${describeAnswer(answer)} ${codeOf(answer)}`, textOf(answer).slice(0, 400)).toBe(
    `${describeAnswer({ ...answer, status })} ${code}`,
  );
  return jsonOf<ErrorBody>(answer).error;
}

/** Expects 422 `invalid_workflow`, and returns `details.node_errors`. */
export function expectNodeErrors(answer: Answer): NodeErrors {
  const { details } = expectRefusal(answer, 422, 'invalid_workflow');
  expect(details?.['node_errors'], 'details.node_errors').toBeTypeOf('object');
  return details?.['node_errors'] as NodeErrors;
}

/** Expects 422 `invalid_request` whose `details.fields` names the field. */
export function expectInvalidField(answer: Answer, field: string): ReturnType<typeof expectRefusal> {
  const error = expectRefusal(answer, 422, 'invalid_request');
  expect(fieldNames(error.details?.['fields']), `details.fields of ${textOf(answer)}`).toContain(field);
  return error;
}

/** Names in `details.fields`: a list of names, a list of `{field}` or an object by name. */
function fieldNames(fields: unknown): string[] {
  if (Array.isArray(fields)) {
    return fields.map((item: unknown) =>
      typeof item === 'string' ? item : String((item as { field?: unknown }).field),
    );
  }
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
}

const URL_HOURS = surface.content === 'bytes' ? { asset: 24, output: 24 } : { asset: 6, output: 30 * 24 };

/**
 * Expects the expiry of the URL of an asset or of an output of a job, less the answer time of a busy machine (decisions,
 * Assets: url; accounts, Signed URL).
 */
export function expectUrlExpiry(instant: string | null | undefined, of: 'asset' | 'output'): void {
  const hours = (Date.parse(instant ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(URL_HOURS[of] - 0.1);
  expect(hours).toBeLessThanOrEqual(URL_HOURS[of]);
}

/** Milliseconds between two instants of a body */
export function msBetween(earlier: string | null, later: string | null): number {
  if (earlier === null || later === null) throw new Error(`no instant: ${earlier} .. ${later}`);
  return Date.parse(later) - Date.parse(earlier);
}

/** Expects equal bodies of two refusals, apart from request ids in messages. */
export function sameBody(first: Answer, second: Answer): void {
  expect(first.status).toBe(second.status);
  expect(textOf(first)).toBe(textOf(second));
}
