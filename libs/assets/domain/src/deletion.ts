/** What the platform knows about a record that its owner wants to delete. */
interface RecordUse {
  /** A job that has not ended refers to it. */
  readonly heldByJob: boolean;
  /** It is an output of a job that is still retained. */
  readonly outputOfRetainedJob: boolean;
  readonly moderationHold: boolean;
}

/** Decides on a deletion (decisions, Holds). The refusal never reveals which hold applies. */
export function decideDeletion(use: RecordUse): 'deleted' | 'asset_in_use' {
  return use.heldByJob || use.outputOfRetainedJob || use.moderationHold ? 'asset_in_use' : 'deleted';
}
