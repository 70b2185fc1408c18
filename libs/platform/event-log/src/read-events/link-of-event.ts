import { hash } from 'node:crypto';
import { NIL_UUID } from '@heddle/contracts-messages';
import { POSTGRES_EPOCH_MS } from '@heddle/platform-database';
import type { StoredEvent } from './stored-event.js';

const ZERO = Buffer.alloc(1);

/**
 * The bytes of an event that enter the hash chain (docs/architecture/02-event-log.md), for events that come from
 * outside a database. Null if payload and digest are both unknown. The inverse of `eventOfLink`.
 *
 * @throws RangeError if a field has a value that no stored event can have
 */
export function linkOfEvent(event: StoredEvent): Buffer | null {
  const digest = event.data === null ? event.dataDigest : hash('sha256', event.data, 'buffer');
  if (digest === undefined) return null;
  const numbers = Buffer.alloc(6);
  numbers.writeInt32BE(event.version, 0);
  numbers.writeInt16BE(event.schemaVersion, 4);
  const tail = Buffer.alloc(25);
  tail.writeBigInt64BE(BigInt(event.fence ?? -1), 0);
  tail.writeBigInt64BE(BigInt(event.workerSeq ?? -1), 8);
  tail.writeUInt8(event.isTerminal ? 1 : 0, 16);
  tail.writeBigInt64BE(BigInt(Date.parse(event.recordedAt) - POSTGRES_EPOCH_MS) * 1_000n, 17);
  return Buffer.concat([
    uuidBytes(event.eventId),
    uuidBytes(event.streamId),
    numbers,
    uuidBytes(event.accountId),
    uuidBytes(event.deploymentId),
    tail,
    uuidBytes(event.causationId ?? NIL_UUID),
    Buffer.from(event.type),
    ZERO,
    Buffer.from(event.correlationId ?? ''),
    ZERO,
    digest,
  ]);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Refuses all else: of a text that begins as hex the rest would not count. */
function uuidBytes(uuid: string): Buffer {
  if (!UUID.test(uuid)) throw new RangeError('an id of an event is no UUID');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
