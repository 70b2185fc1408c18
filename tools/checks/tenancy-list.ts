/** Texts that need not name the account: each reason with its places. */
export type ListedTexts = readonly { readonly reason: string; readonly places: readonly string[] }[];

/** SQL texts over rows of accounts that name no account, each with the reason. Remove an entry when its text is gone. */
export const WITHOUT_ACCOUNT: ListedTexts = [
  {
    reason: "asked by the operator, who sees all accounts, and by the account's own name",
    places: [
      'libs/accounts/src/list-accounts/list-accounts.sql.ts#LIST_ACCOUNTS',
      'libs/accounts/src/note-key-use/note-key-use.sql.ts#NOTE_KEY_USE',
      'libs/accounts/src/set-limits/set-limits.sql.ts#SET_LIMITS',
      'libs/accounts/src/show-account/show-account.sql.ts#SHOW_ACCOUNT',
      'libs/accounts/src/suspend-account/suspend-account.sql.ts#RESUME_ACCOUNT',
      'libs/accounts/src/suspend-account/suspend-account.sql.ts#SUSPEND_ACCOUNT',
    ],
  },
  {
    reason: 'asked by the operator, who sees the tasks of all accounts',
    places: [
      'libs/partner-proxy/src/redeliver-task/redeliver-task.sql.ts#deadDeliveriesSql',
      'libs/partner-proxy/src/redeliver-task/redeliver-task.sql.ts#redeliverSql',
    ],
  },
  {
    reason: 'the row was locked before with its account, in the same transaction',
    places: [
      'libs/assets/src/delete-asset/delete-asset.sql.ts#DELETE_ASSET',
      'libs/assets/src/delete-asset/delete-asset.sql.ts#RECORD_USE',
      'libs/assets/src/mint-from-hash/mint-from-hash.sql.ts#EXTEND_REFERENCE',
    ],
  },
  {
    reason: "follows events of jobs or the jobs service's own answer, which name jobs of any account by id",
    places: [
      'libs/assets/src/expire-assets/silent-jobs.sql.ts#DELETE_UNKNOWN_JOBS',
      'libs/assets/src/expire-assets/silent-jobs.sql.ts#FIRM_HOLDS',
      'libs/assets/src/expire-assets/silent-jobs.sql.ts#SILENT_JOBS',
      'libs/assets/src/follow-jobs/follow-jobs.sql.ts#END_JOBS',
      'libs/assets/src/follow-jobs/follow-jobs.sql.ts#confirmOutputs',
      'libs/assets/src/follow-jobs/follow-jobs.sql.ts#released',
      'libs/assets/src/hold-assets/hold-assets.sql.ts#RELEASE_PROVISIONAL',
      'libs/logs/src/follow-jobs/follow-jobs.sql.ts#DELETE_LOGS',
    ],
  },
  {
    reason: 'expires, sweeps, collects or scrubs what any account has left',
    places: [
      'libs/assets/src/collect-blobs/collect-blobs.sql.ts#IS_UNUSED',
      'libs/assets/src/expire-assets/expire-assets.sql.ts#SWEEP_EXPIRED',
      'libs/assets/src/expire-assets/expire-assets.sql.ts#SWEEP_RELEASED',
      'libs/assets/src/find-orphans/find-orphans.sql.ts#UNKNOWN_KEYS',
      'libs/assets/src/move-blocked/move-blocked.sql.ts#MOVE_BLOB',
      'libs/assets/src/scrub-blobs/scrub-blobs.sql.ts#MARK_DAMAGED',
      'libs/assets/src/sweep-uploads/upload-sweeper.ts#SWEEP_INTENTS',
      'libs/jobs/src/age-log/all-purged.sql.ts#allPurgedSql',
      'libs/jobs/src/purge-jobs/purge-workflows.sql.ts#purgeWorkflowSql',
      'libs/jobs/src/purge-jobs/purge.sql.ts#unendedSql',
      'libs/logs/src/expire-logs/expire-logs.sql.ts#EXPIRE_LOGS',
    ],
  },
  {
    reason: 'an intent of an upload is named by the random key of its object, which only its request knows',
    places: [
      'libs/assets/src/stage-blob/upload-intent.sql.ts#CLOSE_INTENT',
      'libs/assets/src/stage-blob/upload-intent.sql.ts#RENEW_INTENT',
      'libs/assets/src/stage-blob/upload-intent.sql.ts#SETTLE_BLOB',
    ],
  },
  {
    reason: 'a verdict and a scan are about bytes, whoever owns them',
    places: [
      'libs/assets/src/moderate-hash/verdicts.sql.ts#SET_VERDICTS',
      'libs/assets/src/scan-hashes/scan-hashes.sql.ts#QUEUE_MISSED',
    ],
  },
  {
    reason: 'publishes events of every account',
    places: ['libs/assets/src/publish-events/outbox.sql.ts#END_EVENTS'],
  },
  {
    reason: 'watches deadlines and leases of every account',
    places: [
      'libs/jobs/src/enforce-deadlines/end-orphaned-leases.ts#atStart',
      'libs/jobs/src/enforce-deadlines/mend-attempts.sql.ts#mendAttemptsSql',
      'libs/jobs/src/enforce-deadlines/mend-waits.sql.ts#mendWaitsSql',
      'libs/jobs/src/enforce-deadlines/overdue.sql.ts#overdueSql',
      'libs/jobs/src/enforce-deadlines/overdue.sql.ts#renewAllSql',
    ],
  },
  {
    reason: "a worker's report or lease, judged by job, fence, worker and deployment",
    places: [
      'libs/jobs/src/ingest-worker-events/latest-progress.sql.ts#keepProgressSql',
      'libs/jobs/src/known-jobs/load-job.ts#version',
      'libs/jobs/src/lease-job/attempt-starts.ts#markSql',
      'libs/jobs/src/lease-job/attempt-starts.ts#startedSql',
      'libs/jobs/src/lease-job/leases.sql.ts#EVERY_COUNTER',
      'libs/jobs/src/lease-job/leases.sql.ts#LIMITS_WAIT',
      'libs/jobs/src/lease-job/leases.sql.ts#leasesOfWorkerSql',
      'libs/jobs/src/lease-job/leases.sql.ts#openJobsSql',
      'libs/jobs/src/lease-job/leases.sql.ts#workflowOfJobSql',
    ],
  },
  {
    reason: 'ids of jobs come from another service of Heddle, which may ask about any job',
    places: [
      'libs/jobs/src/read-holdings/job-holdings.sql.ts#endedJobsSql',
      'libs/jobs/src/read-holdings/job-holdings.sql.ts#holdingsSql',
      'libs/jobs/src/submit-job/submission.sql.ts#createdJobsSql',
    ],
  },
  {
    reason: 'the walk that it reads from is bound to the account',
    places: ['libs/jobs/src/list-jobs/list-page.sql.ts#text'],
  },
  {
    reason: 'a backfill of a step of the schema',
    places: ['libs/jobs/src/jobs-schema/list-groups.ts#listGroupsOnline'],
  },
  {
    reason: 'reads and removes members of a publisher, by the owner of it that the handler has checked',
    places: [
      'libs/registry/src/authorize/assert-owned.ts#ownersSql',
      'libs/registry/src/remove-member/remove-member.handler.ts#removeSql',
    ],
  },
  {
    reason: 'tasks of the partner proxy that nobody works on any more, of all accounts',
    places: [
      'libs/partner-proxy/src/left-work.sql.ts#leftWorkSql',
      'libs/partner-proxy/src/keep-tasks/task-rows.sql.ts#leftTasksSql',
      'libs/partner-proxy/src/observe-tasks/proxy-depth.sql.ts#stepsSql',
      'libs/partner-proxy/src/observe-tasks/proxy-depth.sql.ts#deliveriesSql',
    ],
  },
  {
    reason: 'the partner proxy deletes what is past its retention, of all accounts',
    places: [
      'libs/partner-proxy/src/purge-tasks/purge-rows.sql.ts#purgeKeysSql',
      'libs/partner-proxy/src/purge-tasks/purge-rows.sql.ts#purgeSql',
    ],
  },
  {
    reason: 'a vendor calls back by the secret of one task',
    places: ['libs/partner-proxy/src/keep-tasks/task-rows.sql.ts#calledBackSql'],
  },
];
