import type { JobId, LedgerEntry, LedgerEntryKind } from '@heddle/contracts-messages';
import type { LedgerEntry as EntryMessage } from '../generated/heddle/jobs/v1/credits.js';

export function entryMessage({ jobId, charged, note, ...entry }: LedgerEntry): EntryMessage {
  return { ...entry, jobId: jobId ?? undefined, charged: charged ?? undefined, note: note ?? undefined };
}

export function entryOf({ kind, jobId, charged, note, ...entry }: EntryMessage): LedgerEntry {
  return {
    ...entry,
    kind: kind as LedgerEntryKind,
    jobId: (jobId ?? null) as JobId | null,
    charged: charged ?? null,
    note: note ?? null,
  };
}
