import type { SchemaMigrations } from '@heddle/platform-database';
import { inboxMigrationSql } from '@heddle/platform-message-bus/follow-log';
import { loggedEndSql } from './logged-end.js';
import { logTablesSql } from './log-tables.js';

export const LOGS_SCHEMA = 'logs';
export const LOGS_ROLE = 'heddle_logs';

/** All tables of the logs service; no other service reads them. */
export const LOGS_MIGRATIONS: SchemaMigrations = {
  schema: LOGS_SCHEMA,
  role: LOGS_ROLE,
  migrations: [
    { name: '0001-execution-logs', up: logTablesSql },
    { name: '0002-inbox', up: inboxMigrationSql(LOGS_SCHEMA, LOGS_ROLE) },
    { name: '0003-logged-end', up: loggedEndSql },
  ],
};
