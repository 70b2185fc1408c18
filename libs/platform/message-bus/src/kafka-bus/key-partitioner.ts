import { Partitioners, type ICustomPartitioner } from 'kafkajs';

const SEED = 0x9747b28c;
const MIX = 0x5bd1e995;

/**
 * Kafka's default partition for a key, as the client library computes it, but without its 64-bit arithmetic, which
 * takes longer than the rest of the work on a message. Records without a key use the library's partitioner.
 */
export const keyPartitioner: ICustomPartitioner = () => {
  const others = Partitioners.DefaultPartitioner();
  return (args) => {
    const { key, partition } = args.message;
    if (!Buffer.isBuffer(key) || (partition !== null && partition !== undefined)) return others(args);
    return (murmur2(key) & 0x7fffffff) % args.partitionMetadata.length;
  };
};

/** MurmurHash2 with Kafka's seed, as a signed 32-bit number. */
function murmur2(key: Buffer): number {
  const whole = key.length & ~3;
  let hash = (SEED ^ key.length) | 0;
  for (let at = 0; at < whole; at += 4) {
    const word = Math.imul(key.readInt32LE(at), MIX);
    hash = Math.imul(hash, MIX) ^ Math.imul(word ^ (word >>> 24), MIX);
  }
  const rest = key.length - whole;
  if (rest === 3) hash ^= key[whole + 2]! << 16;
  if (rest >= 2) hash ^= key[whole + 1]! << 8;
  if (rest >= 1) hash = Math.imul(hash ^ key[whole]!, MIX);
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}
