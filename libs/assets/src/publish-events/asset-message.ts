import type { AssetMessage } from '@heddle/contracts-messages';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { OutboxRow } from './outbox.sql.js';

/** The message for a row of the outbox; events of one record, and those of one hash, stay in order. */
export function assetMessage(row: OutboxRow): BusMessage<AssetMessage> {
  const payload = payloadOf(row);
  const key = 'assetId' in payload ? payload.assetId : payload.hash;
  return { key, id: row.event_id, type: row.type, payload, headers: {} };
}

function payloadOf(row: OutboxRow): AssetMessage {
  const head = { eventId: row.event_id, hash: row.hash, recordedAt: row.recorded_at.toISOString() };
  switch (row.type) {
    case 'HashBlocked':
    case 'HashUnblocked':
      return { ...head, type: row.type };
    case 'BlobDamaged':
      return { ...head, type: row.type, sizeBytes: row.size_bytes! };
    case 'AssetUploaded':
      return { ...head, ...recordOf(row), type: row.type };
    case 'AssetMinted':
      return { ...head, ...recordOf(row), type: row.type, jobId: row.job_id };
    case 'AssetDeleted':
      return { ...head, ...recordOf(row), type: row.type, jobId: row.job_id, reason: reasonOf(row) };
  }
}

function recordOf(row: OutboxRow) {
  return {
    assetId: row.asset_id!,
    accountId: row.account_id!,
    deploymentId: row.deployment_id!,
    sizeBytes: row.size_bytes!,
  };
}

function reasonOf({ reason }: OutboxRow): 'deleted' | 'expired' | 'unnamed' {
  return reason === 'expired' || reason === 'unnamed' ? reason : 'deleted';
}
