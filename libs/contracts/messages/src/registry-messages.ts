/** Topic of events of the node registry; the key is the id of the stream of a publisher, a node or a version. */
export const REGISTRY_EVENTS_TOPIC = 'heddle.registry.events.v1';

/**
 * An event of the registry as other services see it: that it happened, and to what. Texts of people, accounts and tokens
 * stay in the log of the registry. Where the event is about no publisher, node or version, their field is "".
 */
export interface RegistryMessage {
  /** Identical in every copy of the message. */
  readonly eventId: string;
  /** Number in the log of the registry: without gaps, as in `/changes`. */
  readonly seq: number;
  readonly type: string;
  /** Of the stream. */
  readonly version: number;
  readonly publisher: string;
  readonly nodeId: string;
  readonly nodeVersion: string;
  /** ISO 8601, by the database's clock. */
  readonly recordedAt: string;
}
