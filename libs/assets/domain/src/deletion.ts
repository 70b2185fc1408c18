// A record keeps its bytes reachable. This decision protects whoever still needs them (decisions, Holds).

import { append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';

/** What the platform knows about a record that its owner wants to delete. */
interface RecordUse {
  /** A job that has not ended refers to it. */
  readonly heldByJob: boolean;
  /** It is an output of a job that is still retained. */
  readonly outputOfRetainedJob: boolean;
  readonly moderationHold: boolean;
}

/** The rejection never reveals which hold applies. */
type DeletionDecision = Decision<'deleted', 'asset_in_use'>;

export function decideDeletion(use: RecordUse): DeletionDecision {
  const isHeld = use.heldByJob || use.outputOfRetainedJob || use.moderationHold;
  return isHeld ? reject('asset_in_use') : append('deleted');
}
