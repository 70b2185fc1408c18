export { EmbeddedPostgres } from './embedded/embedded-postgres.js';
export { isServerLost, SERVER_NOTICES } from './embedded/server-notice.js';
export type { ServerNotice } from './embedded/server-notice.js';
export { areFree, freePort, lastingPort } from './embedded/free-port.js';
export { EmbeddedServerError } from './embedded/embedded-server-error.js';
export { withFreePorts } from './embedded/with-free-ports.js';
export { DataFolderRefusedError, makeDataFolder } from './embedded/data-folder.js';
export { DataFolderInUseError, InstanceLock } from './embedded/instance-lock.js';
export { PostgresServer } from './embedded/postgres-server.js';
export { removeEmbeddedData } from './embedded/sheltered-home.js';
export { processIdentity } from './embedded/process-identity.js';
export { BackgroundLogger } from './background/background-logger.js';
export { ClockGuard } from './background/clock-guard.js';
export { RepeatedWork } from './background/repeated-work.js';
export { SweepClock, trustedNowSql } from './background/sweep-clock.js';
export { connectDatabase, Database } from './connect/database.js';
export { connectService, DatabaseAwayError, DatabaseRefusedError, ServiceDatabase } from './connect/connect-service.js';
export type { ServiceDatabaseOptions } from './connect/connect-service.js';
export { SchemaTooNewError } from './migrate/breaking-steps.js';
export { compareDatabase } from './migrate/compare-database.js';
export type { ComparedStep } from './migrate/compare-database.js';
export { migrate } from './migrate/migrate.js';
export { clockOffsetSql, HEDDLE_SCHEMA } from './migrate/heddle-schema.js';
export { SchemaTooOldError } from './migrate/schema-migrations.js';
export type {
  SchemaFunction,
  SchemaMigration,
  SchemaMigrations,
  TransactionalStep,
} from './migrate/schema-migrations.js';
export { ServiceRolesMissingError } from './migrate/service-roles.js';
export { failpoint, registeredFailpoints, registerFailpoints } from './failpoint.js';
export { inTransaction } from './connect/in-transaction.js';
export {
  isConnectionLoss,
  isDuplicate,
  isLockTimeout,
  isOutage,
  isPoolExhausted,
} from './connect/transient-failures.js';
export { BinaryRow, uuidOfKey } from './copy-rows/binary-row.js';
export { POSTGRES_EPOCH_MS } from './copy-rows/postgres-epoch.js';
export { copyInto } from './copy-rows/copy-into.js';
export { copyRows } from './copy-rows/copy-rows.js';
export { SharedReads } from './shared-reads.js';
