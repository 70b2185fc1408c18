import { failpoint, registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process: round every commit, and between the bytes of an upload and its commit. */
export const REGISTRY_FAILPOINTS = [
  'registry.change.before-commit',
  'registry.change.after-commit',
  'registry.upload.stored',
] as const;

registerFailpoints(REGISTRY_FAILPOINTS);

export function registryFailpoint(name: (typeof REGISTRY_FAILPOINTS)[number]): void {
  failpoint(name);
}
