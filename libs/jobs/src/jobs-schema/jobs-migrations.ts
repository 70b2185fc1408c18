import {
  eventEnvelopeMigrationSql,
  eventLogFunctions,
  eventLogMigrationSql,
  eventNumbersMigration,
  eventPartitionsMigrations,
} from '@heddle/platform-event-log';
import type { SchemaMigrations } from '@heddle/platform-database';
import { allPurgedSql } from '../age-log/all-purged.sql.js';
import { redactPayloads } from '../age-log/redact-payloads.js';
import { changeBalanceSql } from '../change-balance/change-balance.sql.js';
import { commitChangesSql, commitVersionedSql } from '../commit-job-events/commit-changes.sql.js';
import { leaseJobsSql } from '../commit-job-events/lease-jobs.sql.js';
import { purgeWorkflowSql } from '../purge-jobs/purge-workflows.sql.js';
import { oldestSnapshot } from '../check-snapshots/oldest-snapshot.js';
import { deleteSealedSql, keepSealedSql } from '../seal-credentials/sealed-rows.sql.js';
import { submitJobsSql, submitPricedJobsSql } from '../submit-job/submit-jobs.sql.js';
import { setIntakesSql } from '../watch-pools/set-intakes.sql.js';
import { limitAccountSql, openCountersSql, openJobsOfSql, roomToRunSql } from '../limit-accounts/limits.sql.js';
import { reserveTaskSql } from '../reserve-task/reserve-task.sql.js';
import { settleJobsSql } from '../commit-job-events/settle-jobs.sql.js';
import { settleTaskSql } from '../settle-task/settle-task.sql.js';
import { analystRole } from './analyst-role.js';
import { creditTables } from './credit-tables.js';
import { deriveEnvelopeSql } from './derive-envelope.js';
import { jobTablesSql } from './job-tables.js';
import { failedNodeFormat } from './failed-node-format.js';
import { labelIndexOnline } from './label-index.js';
import { limitTables, limitTablesOnline } from './limit-tables.js';
import { lastingCounters } from './lasting-counters.js';
import { listGroups, listGroupsOnline } from './list-groups.js';
import { logFormatSql, raiseLogFormat } from './log-format.js';
import { queueRevisions } from './queue-revisions.js';
import { queueTablesSql } from './queue-tables.js';
import { loneEndSql } from './released-lone-end.js';
import { loneWritesSql } from './released-lone-writes.js';
import { replicaTableSql } from './replica-table.js';
import { rowConstraints, rowConstraintsOnline } from './row-constraints.js';
import { sealedCredentialsTable } from './sealed-credentials-table.js';
import { startedAttemptsSql } from './started-attempts.js';
import { taskEntries, taskEntriesOnline } from './task-entries.js';

export const JOBS_SCHEMA = 'jobs';
/** The name under which the relay keeps its place in the log. */
export const JOBS_RELAY = 'jobs-relay';
export const JOBS_ROLE = 'heddle_jobs';
const LOG = { schema: JOBS_SCHEMA, role: JOBS_ROLE, lastEvent: 'JobPurged' };

/** All tables of the jobs service; no other service reads them. */
export const JOBS_MIGRATIONS: SchemaMigrations = {
  schema: JOBS_SCHEMA,
  role: JOBS_ROLE,
  migrations: [
    { name: '0001-event-log', up: eventLogMigrationSql(JOBS_SCHEMA, JOBS_ROLE) },
    { name: '0002-jobs', up: jobTablesSql },
    { name: '0003-queue', up: queueTablesSql },
    { name: '0004-lone-writes', up: loneWritesSql },
    { name: '0005-replicas', up: replicaTableSql },
    { name: '0006-lone-end', up: loneEndSql },
    { name: '0007-event-envelope', up: `${eventEnvelopeMigrationSql(JOBS_SCHEMA, JOBS_ROLE)} ${deriveEnvelopeSql}` },
    { name: '0008-log-format', up: logFormatSql },
    { name: '0009-started-attempts', up: startedAttemptsSql },
    rowConstraints,
    rowConstraintsOnline,
    listGroups,
    listGroupsOnline,
    lastingCounters,
    ...eventPartitionsMigrations(LOG, [
      '0016-event-partitions',
      '0017-event-partitions-online',
      '0018-event-partitions-swap',
    ]),
    eventNumbersMigration(JOBS_SCHEMA, '0019-event-numbers'),
    creditTables,
    sealedCredentialsTable,
    queueRevisions,
    limitTables,
    limitTablesOnline,
    taskEntries,
    taskEntriesOnline,
    analystRole,
    failedNodeFormat,
    labelIndexOnline,
  ],
  functions: [
    ...eventLogFunctions(LOG, allPurgedSql),
    redactPayloads,
    raiseLogFormat,
    oldestSnapshot,
    { name: 'open_jobs_of', sql: openJobsOfSql },
    { name: 'submit_jobs', sql: submitJobsSql },
    { name: 'submit_priced_jobs', sql: submitPricedJobsSql },
    { name: 'settle_jobs', sql: settleJobsSql },
    { name: 'keep_sealed', sql: keepSealedSql },
    { name: 'delete_sealed', sql: deleteSealedSql },
    { name: 'open_counters', sql: openCountersSql },
    { name: 'limit_account', sql: limitAccountSql },
    { name: 'room_to_run', sql: roomToRunSql },
    { name: 'change_balance', sql: changeBalanceSql },
    { name: 'reserve_task', sql: reserveTaskSql },
    { name: 'settle_task', sql: settleTaskSql },
    { name: 'commit_changes', sql: commitChangesSql },
    { name: 'commit_versioned', sql: commitVersionedSql },
    { name: 'lease_jobs', sql: leaseJobsSql },
    { name: 'set_intakes', sql: setIntakesSql },
    { name: 'purge_next_workflow', sql: purgeWorkflowSql },
  ],
};
