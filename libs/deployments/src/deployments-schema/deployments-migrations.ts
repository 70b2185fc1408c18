import type { SchemaMigrations } from '@heddle/platform-database';
import {
  eventEnvelopeMigrationSql,
  eventLogFunctions,
  eventLogMigrationSql,
  eventNumbersMigration,
  eventPartitionsMigrations,
} from '@heddle/platform-event-log';
import { activatedAtSql, deploymentTablesSql, presenceByReplicaSql } from './deployment-tables.js';

export const DEPLOYMENTS_SCHEMA = 'deployments';
export const DEPLOYMENTS_ROLE = 'heddle_deployments';
const LOG = { schema: DEPLOYMENTS_SCHEMA, role: DEPLOYMENTS_ROLE, lastEvent: 'DeploymentDeleted' };

/** All tables of deployments; no other context reads them. */
export const DEPLOYMENTS_MIGRATIONS: SchemaMigrations = {
  schema: DEPLOYMENTS_SCHEMA,
  role: DEPLOYMENTS_ROLE,
  migrations: [
    { name: '0001-event-log', up: eventLogMigrationSql(DEPLOYMENTS_SCHEMA, DEPLOYMENTS_ROLE) },
    { name: '0002-event-envelope', up: eventEnvelopeMigrationSql(DEPLOYMENTS_SCHEMA, DEPLOYMENTS_ROLE) },
    ...eventPartitionsMigrations(LOG, [
      '0003-event-partitions',
      '0004-event-partitions-online',
      '0005-event-partitions-swap',
    ]),
    eventNumbersMigration(DEPLOYMENTS_SCHEMA, '0006-event-numbers'),
    { name: '0007-deployments', up: deploymentTablesSql },
    { name: '0008-activated-at', up: activatedAtSql },
    { name: '0009-presence-by-replica', up: presenceByReplicaSql },
  ],
  // The history of deployments is short and is kept: no partition of it is ever over.
  functions: eventLogFunctions(LOG, 'false'),
};
