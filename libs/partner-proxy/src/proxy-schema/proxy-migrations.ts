import type { SchemaMigrations } from '@heddle/platform-database';
import { proxyTablesSql } from './proxy-tables.js';
import { taskRetention, taskRetentionOnline } from './task-retention.js';

export { leftWorkSql } from '../left-work.sql.js';

/** The role of the process that serves the proxy. The registry reads none of these tables. */
export const PARTNER_PROXY_ROLE = 'heddle_registry';

/** All tables of the partner proxy; no other context reads them. */
export const PARTNER_PROXY_MIGRATIONS: SchemaMigrations = {
  schema: 'partner_proxy',
  role: PARTNER_PROXY_ROLE,
  migrations: [{ name: '0001-partner-proxy', up: proxyTablesSql }, taskRetention, taskRetentionOnline],
};
