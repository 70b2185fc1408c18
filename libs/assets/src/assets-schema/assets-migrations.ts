import type { SchemaMigrations } from '@heddle/platform-database';
import { inboxMigrationSql } from '@heddle/platform-message-bus/follow-log';
import { countStoredSql } from '../limit-storage/count-stored.sql.js';
import { accountStorageSql } from './account-storage.js';
import { assetTablesSql } from './asset-tables.js';
import { blockedObjectsSql } from './blocked-objects.js';
import { flatLookUps } from './flat-look-ups.js';
import { jobFeedTableSql } from './job-feed-table.js';
import { moderationTablesSql } from './moderation-tables.js';
import { outputCommitSql } from './output-commit.js';
import { releasedHoldsSql } from './released-holds.js';
import { scaleOutTablesSql } from './scale-out-tables.js';
import { upkeepTablesSql } from './upkeep-tables.js';

export const ASSETS_ROLE = 'heddle_assets';

/** All tables of the assets service; no other service reads them. */
export const ASSETS_MIGRATIONS: SchemaMigrations = {
  schema: 'assets',
  role: ASSETS_ROLE,
  migrations: [
    { name: '0001-assets', up: assetTablesSql },
    { name: '0002-upkeep', up: upkeepTablesSql },
    { name: '0003-scale-out', up: scaleOutTablesSql },
    { name: '0004-job-feed', up: jobFeedTableSql },
    { name: '0005-output-commit', up: outputCommitSql },
    { name: '0006-released-holds', up: releasedHoldsSql },
    { name: '0007-inbox', up: inboxMigrationSql('assets', ASSETS_ROLE) },
    flatLookUps,
    { name: '0009-moderation', up: moderationTablesSql },
    { name: '0010-blocked-objects', up: blockedObjectsSql },
    { name: '0011-account-storage', up: accountStorageSql },
  ],
  functions: [{ name: 'count_stored', sql: countStoredSql }],
};
