import type { SchemaMigrations } from '@heddle/platform-database';
import {
  eventEnvelopeMigrationSql,
  eventLogFunctions,
  eventLogMigrationSql,
  eventNumbersMigration,
  eventPartitionsMigrations,
} from '@heddle/platform-event-log';
import { listingOfGramsSql } from '../search-nodes/listing-of-grams.sql.js';
import { registryTablesSql } from './registry-tables.js';

export { leftWorkSql } from '../left-work.sql.js';

export const REGISTRY_SCHEMA = 'registry';
export const REGISTRY_ROLE = 'heddle_registry';
/** No stream of the registry ever ends: no event has this type. */
const LOG = { schema: REGISTRY_SCHEMA, role: REGISTRY_ROLE, lastEvent: 'RegistryClosed' };

/** All tables of the registry; no other context reads them. */
export const REGISTRY_MIGRATIONS: SchemaMigrations = {
  schema: REGISTRY_SCHEMA,
  role: REGISTRY_ROLE,
  migrations: [
    { name: '0001-event-log', up: eventLogMigrationSql(REGISTRY_SCHEMA, REGISTRY_ROLE) },
    { name: '0002-event-envelope', up: eventEnvelopeMigrationSql(REGISTRY_SCHEMA, REGISTRY_ROLE) },
    ...eventPartitionsMigrations(LOG, [
      '0003-event-partitions',
      '0004-event-partitions-online',
      '0005-event-partitions-swap',
    ]),
    eventNumbersMigration(REGISTRY_SCHEMA, '0006-event-numbers'),
    { name: '0007-registry', up: registryTablesSql },
    // Made once, with the bytes; null: the bytes came with a build that signed every answer.
    { name: '0008-version-signature', up: 'alter table registry.version add column signature json' },
  ],
  // The history of the registry is kept: no partition of it is ever over.
  functions: [...eventLogFunctions(LOG, 'false'), { name: 'listing_of_grams', sql: listingOfGramsSql }],
};
