/** A line is not an event; the message says why. */
export class BadLineError extends Error {
  override readonly name = 'BadLineError';
}

type LineFields = Readonly<Record<string, unknown>>;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export function parsedObject(text: string): LineFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadLineError('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLineError('it is not a JSON object');
  return value as LineFields;
}

export function field(line: LineFields, name: string): unknown {
  if (!Object.hasOwn(line, name)) throw new BadLineError(`${name} is missing`);
  return line[name];
}

export function optionalText(line: LineFields, name: string): string | null {
  const value = field(line, name);
  if (value === null || typeof value === 'string') return value;
  throw new BadLineError(`${name} is not a string`);
}

export function uuid(line: LineFields, name: string): string {
  const value = uuidOrNull(line, name);
  if (value === null) throw new BadLineError(`${name} is null`);
  return value;
}

export function uuidOrNull(line: LineFields, name: string): string | null {
  const value = optionalText(line, name);
  if (value === null || UUID.test(value)) return value;
  throw new BadLineError(`${name} is not a UUID`);
}

export function wholeNumber(
  line: LineFields,
  name: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | null {
  const value = field(line, name);
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new BadLineError(`${name} is not a whole number from ${least} to ${most}`);
}
