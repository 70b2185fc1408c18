export {
  flag,
  labels,
  listOf,
  number,
  oneOf,
  orNull,
  parsedPayload,
  record,
  text,
  UndecodableEvent,
  withSchema,
} from './decoders.js';
export type { Decoder, EventSchema } from './decoders.js';
export { codecOf } from './event-codec.js';
