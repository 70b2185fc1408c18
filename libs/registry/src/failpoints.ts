import { failpoint, registerFailpoints } from '@heddle/platform-database';

/**
 * Where a crash test may end the process: round every commit, between the steps of an upload, of an inspection, of a review,
 * and of a sweep.
 */
export const REGISTRY_FAILPOINTS = [
  'registry.change.before-commit',
  'registry.change.after-commit',
  'registry.upload.received',
  'registry.upload.judged',
  'registry.upload.stored',
  'registry.inspection.read',
  'registry.inspection.ended',
  'registry.review.decided',
  'registry.sweep.deleted',
] as const;

registerFailpoints(REGISTRY_FAILPOINTS);

export function registryFailpoint(name: (typeof REGISTRY_FAILPOINTS)[number]): void {
  failpoint(name);
}
