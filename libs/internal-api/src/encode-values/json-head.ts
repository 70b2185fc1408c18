import { isUuid } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import { MalformedCallError } from '@heddle/platform-service-calls/serve';
import { principalOf } from './call-values.js';

/** The JSON head of a byte call. A caller may send any JSON, so each field is checked. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function fieldsIn(head: unknown, what = 'call'): JsonFields {
  if (typeof head === 'object' && head !== null) return head as JsonFields;
  throw new MalformedCallError(`the ${what} has no fields`);
}

export function idIn<Id extends string>(fields: JsonFields, name: string): Id {
  const id = fields[name];
  if (typeof id === 'string' && isUuid(id)) return id as Id;
  throw new MalformedCallError(`'${name}' of the call is not a UUID`);
}

/** A text of at most `max` characters. */
export function textIn(fields: JsonFields, name: string, max = Infinity): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length <= max) return value;
  throw new MalformedCallError(`'${name}' of the call is not a text of at most ${max} characters`);
}

/** A text or null. */
export function optionalTextIn(fields: JsonFields, name: string): string | null {
  return fields[name] === null ? null : textIn(fields, name);
}

export function numberIn(fields: JsonFields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new MalformedCallError(`'${name}' of the call is not a whole number`);
}

export function principalIn(fields: JsonFields): Principal {
  const principal = fieldsIn(fields['principal'], 'principal of the call');
  return principalOf({ accountId: textIn(principal, 'accountId'), deploymentId: textIn(principal, 'deploymentId') });
}
