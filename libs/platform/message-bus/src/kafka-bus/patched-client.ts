import type { Consumer } from 'kafkajs';

declare module 'kafkajs' {
  interface ConsumerConfig {
    /**
     * From `patches/kafkajs@2.2.4.patch`: joins as this member and takes its place. Otherwise the group waits until the broker
     * takes the lost member for dead, six seconds at least. An id that the broker no longer knows is dropped by the client.
     */
    readonly memberId?: string | null;
  }
}

/** A consumer of the client as `patches/kafkajs@2.2.4.patch` leaves it. */
export type PatchedConsumer = Consumer & {
  /** Returns the id for the next member; this consumer no longer leaves the group under it. Null after it has left. */
  handOver(): string | null;
};
