import { CAMPAIGN_CHECKS } from './campaign-evidence.ts';

/** The proof of an invariant: checks of a campaign by name prefix, or tests if no log can decide it */
export interface Invariant {
  readonly name: `I${number}`;
  readonly promise: string;
  /** Spec files, in addition to the checks or instead of them */
  readonly tests?: readonly string[];
  /** Why no log can decide it, or only a part */
  readonly because?: string;
}

export const INVARIANTS: readonly Invariant[] = [
  { name: 'I1', promise: 'what was acknowledged is in the log' },
  { name: 'I2', promise: 'a key makes at most one job' },
  {
    name: 'I3',
    promise: 'a refusal frees the key, an unknown outcome holds it',
    tests: ['test/api/submit-job.leftovers.e2e.spec.ts'],
  },
  { name: 'I4', promise: 'a rejected duplicate changes nothing' },
  { name: 'I5', promise: 'a job that has ended stays as it is' },
  { name: 'I6', promise: 'only legal edges' },
  { name: 'I7', promise: 'one live lease, fences grow' },
  { name: 'I8', promise: 'a stale fence changes nothing' },
  { name: 'I9', promise: 'outputs are neither lost nor doubled, and keep their order' },
  { name: 'I10', promise: 'a visible output can be downloaded' },
  { name: 'I11', promise: 'streams keep the order of the log and end with the end' },
  { name: 'I12', promise: 'a stream begins with the state as it is' },
  { name: 'I13', promise: 'the latest progress is the last that was accepted' },
  { name: 'I14', promise: 'polling alone is enough' },
  { name: 'I15', promise: 'a deletion takes nothing else along' },
  { name: 'I16', promise: 'what was minted can be read' },
  { name: 'I17', promise: 'equal bytes are one object, and nothing else is stored' },
  { name: 'I18', promise: 'stored bytes have their hash' },
  { name: 'I19', promise: 'a false hash leaves nothing' },
  {
    name: 'I20',
    promise: 'what has expired answers 404 at once',
    tests: ['libs/assets/src/get-asset/records.int.spec.ts', 'libs/jobs/src/purge-jobs/purge-jobs.int.spec.ts'],
    because: 'nothing expires within a campaign',
  },
  {
    name: 'I21',
    promise: 'bytes stay as long as their URLs',
    tests: [
      'libs/platform/blob-store/src/s3/s3-access.int.spec.ts',
      'libs/assets/src/collect-blobs/blob-collector.int.spec.ts',
    ],
    because: 'a self-hosted surface signs no URLs',
  },
  { name: 'I22', promise: 'a replay gives the same read model' },
  { name: 'I23', promise: 'the log is append-only, and its chain holds' },
  { name: 'I24', promise: 'every event has one place, in the order of its stream' },
  { name: 'I25', promise: 'everything in the log is on the topic, in order' },
  { name: 'I26', promise: 'the topic holds nothing else', tests: ['libs/platform/event-log/src/failover.int.spec.ts'] },
  {
    name: 'I27',
    promise: 'partner credentials never touch a disk',
    tests: ['test/security/credentials.e2e.spec.ts'],
    because: 'what must not be there is looked for in every file',
  },
  {
    name: 'I28',
    promise: 'credentials are in no answer, log or metric',
    tests: ['test/security/credentials.e2e.spec.ts', 'test/proxy/credentials.e2e.spec.ts'],
    because: 'what must not be there is looked for in every answer',
  },
  {
    name: 'I29',
    promise: "another account's ids are unknown ids",
    tests: ['libs/assets/src/get-asset/records.int.spec.ts', 'libs/jobs/src/cancel-job/cancel-job.int.spec.ts'],
    because: 'a self-hosted surface has one account',
  },
  {
    name: 'I30',
    promise: 'hashes tell nothing of other accounts',
    tests: ['libs/assets/src/mint-from-hash/mint-from-hash.int.spec.ts'],
    because: 'a self-hosted surface has one account',
  },
  { name: 'I31', promise: 'the counters of the queue are right' },
  { name: 'I32', promise: 'an acknowledged cancel ends the job' },
  { name: 'I33', promise: 'attempts are bounded' },
  { name: 'I34', promise: 'everything ends after the faults' },
  {
    name: 'I35',
    promise: 'a jumping clock ends nothing early',
    tests: [
      'libs/jobs/src/enforce-deadlines/deadline-clock.int.spec.ts',
      'libs/platform/database/src/background/clock-guard.spec.ts',
      'libs/assets/src/maintenance/clock-jump.int.spec.ts',
      'libs/logs/src/expire-logs/clock-jump.int.spec.ts',
      'libs/partner-proxy/src/sweep-tasks/clock-jump.int.spec.ts',
      'libs/registry/src/sweep-leftovers/clock-jump.int.spec.ts',
    ],
  },
  {
    name: 'I36',
    promise: 'a full disk leaves nothing half done',
    tests: ['test/chaos/disk-full.e2e.spec.ts'],
    because: 'a campaign fills the disk too, and all of its checks judge what is left',
  },
  {
    name: 'I37',
    promise: 'old and new versions run together',
    tests: [
      'test/upgrade/upgrade.e2e.spec.ts',
      'libs/testing/database/src/migrate-beside-traffic.int.spec.ts',
      'libs/jobs/src/relay-job-events/relay-stop.int.spec.ts',
    ],
    because: 'a campaign runs one version',
  },
  {
    name: 'I38',
    promise: 'a slow client harms no other',
    tests: ['test/security/slow-clients.e2e.spec.ts', 'test/api/stream-job-events.load.e2e.spec.ts'],
    because: 'clients of a campaign are honest',
  },
  {
    name: 'I39',
    promise: 'credits are neither lost nor charged twice',
    tests: [
      'libs/jobs/src/submit-job/priced-submission.int.spec.ts',
      'libs/jobs/src/commit-job-events/settle-jobs.int.spec.ts',
      'libs/jobs/src/check-credits/random-credits.int.spec.ts',
    ],
    because: 'jobs of a self-hosted surface cost nothing',
  },
];

/** Checks on the database itself, in addition to `CAMPAIGN_CHECKS` */
const ON_THE_DATABASE: readonly string[] = [
  'I22 the read model rebuilt from the first event is byte-identical',
  'I23 the chain of the log holds',
  'I39 ledgers, balances and the log agree',
];

/** The checks of an invariant: their names begin with its name. */
export function checksOf({ name }: Invariant): readonly string[] {
  return [...CAMPAIGN_CHECKS, ...ON_THE_DATABASE].filter((check) => check.startsWith(`${name} `));
}

export function renderInvariants(): string {
  return INVARIANTS.map((invariant) => {
    const { name, promise, tests = [], because } = invariant;
    const head = `${name.padEnd(4)} ${promise}${because === undefined ? '' : ` (${because})`}`;
    return [
      head,
      ...checksOf(invariant).map((check) => `       check ${check}`),
      ...tests.map((test) => `       test  ${test}`),
    ].join('\n');
  }).join('\n');
}
