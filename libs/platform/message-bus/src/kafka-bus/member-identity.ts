import { createRequire } from 'node:module';
import { PartitionAssigners, type PartitionAssigner } from 'kafkajs';

/** What this file relies on of the client's consumer group, in the pinned version. */
interface ConsumerGroup {
  readonly cluster: object;
  memberId: string | null;
  connect(): Promise<void>;
}

/** By the connections of a consumer, the one object that it shows and its group has as well. */
const identities = new WeakMap<object, MemberIdentity>();
let isPrepared = false;

/**
 * Under which id a consumer is in its group, to hand it on: one that takes the place of another joins as that one. Otherwise the group has
 * to wait until the broker takes the lost one for dead, six seconds at least, before anybody gets its partitions. The client has no
 * option for it.
 */
export class MemberIdentity {
  #group: ConsumerGroup | undefined;

  constructor(readonly former: string | undefined) {
    prepare();
  }

  /** Assigns as the client does by itself; it is merely where a consumer shows its connections. */
  readonly assigner: PartitionAssigner = (config) => {
    identities.set(config.cluster, this);
    return PartitionAssigners.roundRobin(config);
  };

  /** The id for the next one; this consumer does not leave the group under it any more. Undefined where it has left already. */
  take(): string | undefined {
    if (!this.#group) return this.former;
    const id = this.#group.memberId ?? undefined;
    this.#group.memberId = null;
    return id;
  }

  /** An id that the broker does not know any more is dropped by the client itself, which then joins as a new member. */
  adopt(group: ConsumerGroup): void {
    this.#group = group;
    group.memberId ??= this.former ?? null;
  }
}

function prepare(): void {
  if (isPrepared) return;
  isPrepared = true;
  const group = createRequire(import.meta.url)('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const connect = Object.getOwnPropertyDescriptor(group.prototype, 'connect')?.value as ConsumerGroup['connect'];
  group.prototype.connect = async function (this: ConsumerGroup): Promise<void> {
    await connect.call(this);
    identities.get(this.cluster)?.adopt(this);
  };
}
