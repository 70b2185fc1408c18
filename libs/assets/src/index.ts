export { AssetsModule } from './assets.module.js';
export type { MintedListener } from './local-bindings/minted-announcer.js';
export { AssetsSettings } from './settings.js';
export { ASSETS_MIGRATIONS, ASSETS_ROLE } from './assets-schema/assets-migrations.js';
export { AssetJobFollower } from './follow-jobs/asset-job-follower.js';
export { ASSETS_FAILPOINTS } from './failpoints.js';
