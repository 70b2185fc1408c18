import { randomBytes, randomUUID } from 'node:crypto';
import { Partitioners } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { keyPartitioner } from './key-partitioner.js';

const metadata = (partitions: number) =>
  Array.from({ length: partitions }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));

describe('the partition of a key', () => {
  const [ours, theirs] = [keyPartitioner(), Partitioners.DefaultPartitioner()];

  it('is that of the client library, whatever the key and however many there are', () => {
    const keys = Array.from({ length: 2_000 }, (_, at) =>
      at % 2 === 0 ? randomBytes(at % 70) : Buffer.from(randomUUID()),
    );
    for (const key of keys) {
      for (const partitions of [1, 2, 12, 97]) {
        const args = { topic: 't', partitionMetadata: metadata(partitions), message: { key, value: null } };
        expect(ours(args), key.toString('hex')).toBe(theirs(args));
      }
    }
  });

  it('is the one that a message names, and any where there is no key', () => {
    const named = { key: Buffer.from('k'), value: null, partition: 3 };
    expect(ours({ topic: 't', partitionMetadata: metadata(12), message: named })).toBe(3);
    const without = { key: null, value: null };
    const seen = new Set(
      Array.from({ length: 24 }, () => ours({ topic: 't', partitionMetadata: metadata(12), message: without })),
    );
    expect(seen.size).toBe(12);
  });
});
