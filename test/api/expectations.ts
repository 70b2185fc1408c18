import { codeOf, describeAnswer, jsonOf, textOf } from '@heddle/testing-api';
import type { Answer, ErrorBody, NodeErrors } from '@heddle/testing-api';
import { expect } from 'vitest';

/** The answer is this refusal (its envelope was checked by the client already). Returns the error. */
export function expectRefusal(answer: Answer, status: number, code: string): ErrorBody['error'] {
  expect(`${describeAnswer(answer)} ${codeOf(answer)}`, textOf(answer).slice(0, 400)).toBe(
    `${describeAnswer({ ...answer, status })} ${code}`,
  );
  return jsonOf<ErrorBody>(answer).error;
}

/** 422 `invalid_workflow`; returns its `details.node_errors`. */
export function expectNodeErrors(answer: Answer): NodeErrors {
  const { details } = expectRefusal(answer, 422, 'invalid_workflow');
  expect(details?.['node_errors'], 'details.node_errors').toBeTypeOf('object');
  return details?.['node_errors'] as NodeErrors;
}

/** 422 `invalid_request` whose `details.fields` names the field. */
export function expectInvalidField(answer: Answer, field: string): ReturnType<typeof expectRefusal> {
  const error = expectRefusal(answer, 422, 'invalid_request');
  expect(fieldNames(error.details?.['fields']), `details.fields of ${textOf(answer)}`).toContain(field);
  return error;
}

/** Names in `details.fields`, whether it is a list of names, a list of `{field}` or an object by name. */
function fieldNames(fields: unknown): string[] {
  if (Array.isArray(fields)) {
    return fields.map((item: unknown) =>
      typeof item === 'string' ? item : String((item as { field?: unknown }).field),
    );
  }
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
}

/** decisions, Assets: url; 24 h, less what a busy machine took to answer. */
export function expectUrlExpiry(instant: string | null | undefined): void {
  const hours = (Date.parse(instant ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
}

/** Milliseconds between two instants of a body. */
export function msBetween(earlier: string | null, later: string | null): number {
  if (earlier === null || later === null) throw new Error(`no instant: ${earlier} .. ${later}`);
  return Date.parse(later) - Date.parse(earlier);
}

/** The bodies of two refusals, with what may differ taken out: a request id in a message. */
export function sameBody(first: Answer, second: Answer): void {
  expect(first.status).toBe(second.status);
  expect(textOf(first)).toBe(textOf(second));
}
