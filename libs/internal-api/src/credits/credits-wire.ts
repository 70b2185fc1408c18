import type { JobId, LedgerEntry, LedgerEntryKind, TaskId } from '@heddle/contracts-messages';
import type { LedgerEntry as EntryMessage } from '../generated/heddle/jobs/v1/credits.js';

export function entryMessage({ jobId, taskId, charged, note, ...entry }: LedgerEntry): EntryMessage {
  return {
    ...entry,
    jobId: jobId ?? undefined,
    taskId: taskId ?? undefined,
    charged: charged ?? undefined,
    note: note ?? undefined,
  };
}

export function entryOf({ kind, jobId, taskId, charged, note, ...entry }: EntryMessage): LedgerEntry {
  return {
    ...entry,
    kind: kind as LedgerEntryKind,
    jobId: (jobId ?? null) as JobId | null,
    taskId: (taskId ?? null) as TaskId | null,
    charged: charged ?? null,
    note: note ?? null,
  };
}
