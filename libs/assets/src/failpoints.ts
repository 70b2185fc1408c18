import { registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process, in the order of the lifecycle of an upload and of a collected blob. */
export const ASSETS_FAILPOINTS = [
  'assets.upload.intent',
  'assets.upload.mid-stream',
  'assets.upload.stored',
  'assets.upload.committed',
  'assets.collect.condemned',
  'assets.collect.unlinked',
  'assets.collect.deleted',
  'assets.events.published',
] as const;

registerFailpoints(ASSETS_FAILPOINTS);
