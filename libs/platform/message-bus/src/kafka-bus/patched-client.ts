import type { Consumer } from 'kafkajs';

declare module 'kafkajs' {
  interface ConsumerConfig {
    /**
     * From `patches/kafkajs@2.2.4.patch`: joins under this member id and takes its place. Otherwise the group waits
     * until the broker expires the lost member, at least six seconds. The client drops an id that the broker no longer
     * knows.
     */
    readonly memberId?: string | null;
  }
}

/** The client's consumer as patched by `patches/kafkajs@2.2.4.patch`. */
export type PatchedConsumer = Consumer & {
  /**
   * Returns the id for the next member; this consumer then no longer leaves the group under it. Null if it has left.
   */
  handOver(): string | null;
};
