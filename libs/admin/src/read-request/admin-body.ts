import { isJsonObject, JsonBodyPipe } from '@heddle/platform-http';
import { NearestName } from '@heddle/workflow-graph/nearest-name';

export type Fields = Readonly<Record<string, unknown>>;
type BodyClass<T> = new (fields: Fields) => T;

/** More misspelled fields than this are not all named. */
const MAX_NAMED = 20;

/**
 * The JSON body of an admin call. A field that its class does not have is refused: an operator who mistyped an option would
 * else believe that it is set. So a class must assign each of its fields, also those that it only lets pass.
 */
export function adminBody<T extends object>(load: () => Promise<BodyClass<T>>): JsonBodyPipe<T> {
  return new JsonBodyPipe(load, (body, fields) => Object.fromEntries(unknownFields(body, fields).slice(0, MAX_NAMED)));
}

/** By their paths: a part may have a field of the same name as the body. */
function unknownFields(body: object, fields: Fields, path = ''): (readonly [string, string])[] {
  const known = new Map(Object.entries(body));
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!known.has(name)) return [[path + name, unknownText(name, [...known.keys()])] as const];
    const part: unknown = known.get(name);
    return isPart(part) && isJsonObject(value) ? unknownFields(part, value, `${path}${name}.`) : [];
  });
}

/** A part with a class of its own; other objects have no fixed fields. */
function isPart(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    ![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))
  );
}

function unknownText(name: string, known: readonly string[]): string {
  const nearest = new NearestName(known).of(name);
  return nearest === null
    ? `does not exist; the fields are ${known.join(', ')}`
    : `does not exist; the nearest one is ${nearest}`;
}
