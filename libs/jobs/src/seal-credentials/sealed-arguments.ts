import { isEnded } from '@heddle/jobs-domain';
import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import type { SealedCredentials } from './sealed-credentials.js';

/** Whether the deployment's surface keeps partner credentials as sealed rows; otherwise they are in memory alone. */
export function keepsSealed(deploymentId: DeploymentId): boolean {
  return SURFACES[surfaceOf(deploymentId)].partnerCredentials === 'sealed';
}

/** Arguments of jobs.keep_sealed for the submissions of a batch; null if none of them has sealed credentials. */
export function sealedArguments(
  items: readonly { readonly sealed: SealedCredentials | null }[],
): NamedArguments | null {
  const rows = items.flatMap(({ sealed }, at) => (sealed === null ? [] : [{ ...sealed, at: at + 1 }]));
  if (rows.length === 0) return null;
  const arena = new ByteArena();
  const slices = rows.map(({ keyNonce, wrappedKey, nonce, ciphertext }) =>
    arena.add(Buffer.concat([keyNonce, wrappedKey, nonce, ciphertext])),
  );
  return {
    sealed_at: plainArray(rows.map(({ at }) => at)),
    sealed_jobs: plainArray(rows.map(({ jobId }) => jobId)),
    key_ids: rows.map(({ keyId }) => keyId),
    sealed_starts: plainArray(slices.map(({ at }) => at)),
    sealed_lengths: plainArray(slices.map(({ length }) => length)),
    sealed_bytes: arena.bytes(),
  };
}

/** Arguments of jobs.delete_sealed for the ends among these changes; null if no such job has sealed credentials. */
export function deletedSealedArguments(items: readonly CommitItem[]): NamedArguments | null {
  const ends = items.filter(
    ({ deploymentId, plan: { before, after } }) =>
      isEnded(after) && !isEnded(before) && after.facts.submission.hasCredentials && keepsSealed(deploymentId),
  );
  return ends.length === 0 ? null : { sealed_jobs: plainArray(ends.map(({ jobId }) => jobId)) };
}
