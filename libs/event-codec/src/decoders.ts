/** A stored event that this build cannot read: written by a newer build, or damaged. */
export class UndecodableEvent extends Error {
  override readonly name = 'UndecodableEvent';
}

/** The part of JSON Schema (draft 2020-12) that describes stored events. */
export interface EventSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly EventSchema[];
  readonly items?: EventSchema;
  readonly properties?: Readonly<Record<string, EventSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | EventSchema;
  readonly description?: string;
}

/** Reads a value, and says which values it reads, so that a published schema cannot differ from the codec. */
export interface Decoder<T> {
  (value: unknown, at: string): T;
  readonly schema: EventSchema;
}

export function withSchema<T>(schema: EventSchema, decode: (value: unknown, at: string) => T): Decoder<T> {
  return Object.assign(decode, { schema });
}

function wrong(at: string, wanted: string): never {
  throw new UndecodableEvent(`${at} is not ${wanted}`);
}

export const text = withSchema({ type: 'string' }, (value, at) =>
  typeof value === 'string' ? value : wrong(at, 'a string'),
);
export const number = withSchema({ type: 'number' }, (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong(at, 'a number'),
);
export const flag = withSchema({ type: 'boolean' }, (value, at) =>
  typeof value === 'boolean' ? value : wrong(at, 'true or false'),
);

export function orNull<T>(decode: Decoder<T>): Decoder<T | null> {
  const { schema } = decode;
  const isPlain = typeof schema.type === 'string' && Object.keys(schema).length === 1;
  return withSchema(
    isPlain ? { type: [String(schema.type), 'null'] } : { anyOf: [schema, { type: 'null' }] },
    (value, at) => (value === null ? null : decode(value, at)),
  );
}

export function oneOf<T extends string>(...allowed: readonly T[]): Decoder<T> {
  return withSchema(
    { type: 'string', enum: allowed },
    (value, at) => allowed.find((word) => word === value) ?? wrong(at, `one of ${allowed.join(', ')}`),
  );
}

export function listOf<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return withSchema({ type: 'array', items: decode.schema }, (value, at) =>
    Array.isArray(value) ? value.map((item, index) => decode(item, `${at}[${index}]`)) : wrong(at, 'a list'),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields are written in the shape's order, so that the encoding is canonical; unknown fields are dropped. */
export function record<T extends object>(shape: { readonly [Field in keyof T]: Decoder<T[Field]> }): Decoder<T> {
  const fields = Object.entries(shape) as [string, Decoder<unknown>][];
  const decoders = fields.map(([field, decode]) => ({ field, decode, path: '' }));
  let pathsOf: string | undefined;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([field, decode]) => [field, decode.schema])),
    required: fields.map(([field]) => field),
  };
  return withSchema(schema, (value, at) => {
    if (!isRecord(value)) return wrong(at, 'an object');
    // Most records are read at one place: to write the path of each field again costs a fifth of the reading.
    if (at !== pathsOf) for (const one of decoders) one.path = `${at}.${one.field}`;
    pathsOf = at;
    const decoded: Record<string, unknown> = {};
    for (const { field, decode, path } of decoders) decoded[field] = decode(value[field], path);
    return decoded as T;
  });
}

/** Parses a stored payload; throws `UndecodableEvent` if it is not JSON. */
export function parsedPayload(type: string, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UndecodableEvent(`the data of ${type} is not JSON`);
  }
}

export const labels: Decoder<Readonly<Record<string, string>>> = withSchema(
  { type: 'object', additionalProperties: { type: 'string' } },
  (value, at) => {
    if (!isRecord(value)) return wrong(at, 'an object');
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, text(item, `${at}.${key}`)]));
  },
);
