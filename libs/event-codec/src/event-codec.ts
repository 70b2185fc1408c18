import { parsedPayload, UndecodableEvent } from './decoders.js';
import type { Decoder } from './decoders.js';

interface EncodableEvent {
  readonly type: string;
  readonly data: object;
}

interface EventCodec<Event extends EncodableEvent> {
  readonly types: readonly Event['type'][];
  /** The payload as it is stored: only the fields of its shape, in its order. */
  encode(event: Event): string;
  /** Decodes a stored payload; throws `UndecodableEvent` if this build cannot. */
  decode(type: string, schemaVersion: number, data: string): Event;
}

/** The schema version of every event of these codecs. */
const SCHEMA_VERSION = 1;

/** The codec of a context whose events have one schema version each; `context` names them in errors. */
export function codecOf<Event extends EncodableEvent>(
  context: string,
  decoders: { readonly [Type in Event['type']]: Decoder<Extract<Event, { readonly type: Type }>['data']> },
): EventCodec<Event> {
  const isKnown = (type: string): type is Event['type'] => Object.hasOwn(decoders, type);
  return {
    types: Object.keys(decoders) as Event['type'][],
    encode: ({ type, data }) => JSON.stringify(decoders[type as Event['type']](data, type)),
    decode: (type, schemaVersion, data) => {
      if (!isKnown(type)) throw new UndecodableEvent(`unknown ${context} event type ${type}`);
      if (schemaVersion !== SCHEMA_VERSION)
        throw new UndecodableEvent(`${type} has schema version ${schemaVersion}, this build reads ${SCHEMA_VERSION}`);
      return { type, data: decoders[type](parsedPayload(type, data), type) } as unknown as Event;
    },
  };
}
