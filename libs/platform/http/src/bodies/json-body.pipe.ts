import { isUtf8 } from 'node:buffer';
import { invalidFields } from '@heddle/contracts-messages';
import { jsonKind, placeOfMistake } from '@heddle/workflow-graph';
import type { JsonValue } from '@heddle/workflow-graph';
import { isJsonObject } from './json-object.js';
import { RejectionError } from '../refusals/rejection-error.js';
import type { PipeTransform } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

type Fields = Readonly<Record<string, unknown>>;
/** A class whose decorators say what a JSON body must be. It takes the fields as they came, and keeps those that it knows. */
export type BodyClass<T> = new (fields: Fields) => T;
/** Further problems by field, which need the fields as they came. */
type BodyCheck<T> = (body: T, fields: Fields) => Readonly<Record<string, string>>;

/**
 * Reads a JSON body into its class, or refuses it with a text for each invalid field. The class is loaded with the first
 * body, not at start: class-validator costs 20 MiB and a tenth of a second.
 */
export class JsonBodyPipe<T extends object> implements PipeTransform<unknown, Promise<T>> {
  constructor(
    private readonly load: () => Promise<BodyClass<T>>,
    private readonly check: BodyCheck<T> = () => ({}),
  ) {}

  async transform(bytes: unknown): Promise<T> {
    return await checkedBody(objectIn(bytes), this.load, this.check);
  }
}

/** The fields of a body in their class, or a refusal with a text for each invalid one. */
export async function checkedBody<T extends object>(
  fields: Fields,
  load: () => Promise<BodyClass<T>>,
  check: BodyCheck<T> = () => ({}),
): Promise<T> {
  const [Body, { validateSync }] = await Promise.all([load(), import('class-validator')]);
  const body = new Body(fields);
  const all = [...Object.entries(check(body, fields)), ...problemsOf(validateSync(body))];
  if (all.length > 0) throw new RejectionError(invalidFields(Object.fromEntries(all)));
  return body;
}

/** Texts by the path of each field: a part of a body (`@ValidateNested`) has problems of its own. */
function problemsOf(errors: readonly ValidationError[], path = ''): (readonly [string, string])[] {
  return errors.flatMap(({ property, constraints, children }) =>
    children?.length
      ? problemsOf(children, `${path}${property}.`)
      : [[path + property, Object.values(constraints ?? {})[0] ?? ''] as const],
  );
}

/** The fields of a JSON object; a body of another form is refused. */
export function objectIn(body: unknown): Fields {
  const read = readObject(body);
  if (typeof read === 'string') throw new RejectionError(invalidFields({ body: read }));
  return read;
}

/** The fields of a JSON object, or what the body must be instead. */
export function readObject(body: unknown): Fields | string {
  if (!Buffer.isBuffer(body) || body.length === 0) return 'must be a JSON object, and it is empty';
  // Decoded, each wrong byte would be stored as the same other character.
  if (!isUtf8(body)) return 'must be valid UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    const { line, column } = placeOfMistake(body);
    return `must be valid JSON: the mistake is at line ${line}, column ${column}`;
  }
  return isJsonObject(value) ? value : `must be a JSON object, and it is ${jsonKind(value as JsonValue)}`;
}
