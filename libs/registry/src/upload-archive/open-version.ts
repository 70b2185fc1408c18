import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { uploadRejection } from '@heddle/registry-domain';
import type { UploadRejection } from '@heddle/registry-domain';
import { assertNotBanned } from '../authorize/ban-refusals.js';
import type { Refusals } from '../commit-events/accepted-events.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import type { UploadPermit } from '../sign-versions/upload-url.js';

/** A URL that is replaced, or whose version was deleted, is answered like a changed one. */
export const UPLOAD_REFUSALS: Refusals<UploadRejection> = {
  replaced: () => registryRefusal('invalid_signature', { case: 'upload' }),
  not_pending: () => registryRefusal('invalid_signature', { case: 'upload' }),
  already_uploaded: () => registryRefusal('already_uploaded', { case: 'upload' }),
};

/** Throws unless the bytes of the version may come with this URL. A replaced URL says nothing of a ban. */
export function assertOpen(
  state: VersionRecord['state'],
  { upload: number }: UploadPermit,
  record: VersionRecord,
): void {
  const rejection = uploadRejection(state, number);
  if (rejection === 'replaced') throw UPLOAD_REFUSALS[rejection]();
  // A holder of the URL has shown no credential, so the reason of a ban is not shown.
  assertNotBanned(record, '');
  if (record.node_status === 'deleted') throw registryRefusal('invalid_signature', { case: 'upload' });
  if (rejection !== null) throw UPLOAD_REFUSALS[rejection]();
}
