import type { RecordedEvent, RecordedRun } from './recorded-run.ts';

/** One invariant. `faults` describes each violation. `I5` and so on are the numbers of the design. */
export interface Check<Evidence> {
  readonly name: string;
  readonly faults: (evidence: Evidence) => readonly string[];
}

const ENDS: Readonly<Record<string, string>> = {
  JobSucceeded: 'succeeded',
  JobFailed: 'failed',
  JobCanceled: 'canceled',
  JobExpired: 'expired',
};

/** Events allowed in each status, with the next status. An independent copy, so that the product does not check itself. */
const EDGES: Readonly<Record<string, Record<string, string>>> = {
  none: { JobSubmitted: 'queued' },
  queued: { JobLeased: 'running', JobCanceled: 'canceled', JobExpired: 'expired', JobFailed: 'failed' },
  running: {
    NodeFinished: 'running',
    OutputCommitted: 'running',
    LogCaptured: 'running',
    LeaseLost: 'queued',
    CancelRequested: 'canceling',
    JobSucceeded: 'succeeded',
    JobFailed: 'failed',
  },
  canceling: {
    NodeFinished: 'canceling',
    OutputCommitted: 'canceling',
    LogCaptured: 'canceling',
    JobCanceled: 'canceled',
    JobSucceeded: 'succeeded',
    JobFailed: 'failed',
  },
  succeeded: { JobPurged: 'purged' },
  failed: { JobPurged: 'purged' },
  canceled: { JobPurged: 'purged' },
  expired: { JobPurged: 'purged' },
  purged: {},
};

/** Adds an event type of a newer build: allowed while a job is leased, without a change of status. */
export function learnEventOfLease(type: string): void {
  for (const status of ['running', 'canceling']) EDGES[status]![type] = status;
}

/** Checks that need only the log */
export const LOG_CHECKS: readonly Check<RecordedRun>[] = [
  {
    name: 'I24 versions are dense from 1',
    faults: (run) =>
      eachStream(run, (events) => events.filter((event, at) => event.version !== at + 1).map(named('is out of place'))),
  },
  {
    name: 'I24 every event has one place in the order of the log, without gaps',
    faults: (run) => [
      ...(run.highestSeq === run.sequenced ? [] : [`${run.sequenced} places, the highest is ${run.highestSeq}`]),
      ...eachStream(run, (events) => events.filter(({ seq }) => seq === null).map(named('was not sequenced'))),
      ...eachStream(run, (events) =>
        events
          .filter(({ seq }, at) => (seq ?? 0) <= (events[at - 1]?.seq ?? 0))
          .map(named('stands before its predecessor')),
      ),
    ],
  },
  {
    name: 'I5 at most one event ends a job, and only its purge follows',
    faults: (run) =>
      eachStream(run, (events) => {
        const ends = events.filter(({ type }) => type in ENDS);
        const flagged = events.filter(({ isTerminal, type }) => isTerminal !== type in ENDS);
        return [...ends.slice(1).map(named('ends it again')), ...flagged.map(named('is flagged wrongly'))];
      }),
  },
  { name: 'I6 only legal edges are taken', faults: (run) => eachStream(run, illegalEdges) },
  {
    name: 'I7 fences grow by one with each lease',
    faults: (run) =>
      eachStream(run, (events) =>
        events
          .filter(({ type }) => type === 'JobLeased')
          .filter((event, at) => dataOf(event)['fence'] !== at + 1 || event.fence !== at + 1)
          .map(named('has another fence')),
      ),
  },
  {
    name: 'I8 no report under a stale fence has an effect, none has two',
    faults: (run) => eachStream(run, staleReports),
  },
  {
    name: 'I9 an output is committed once',
    faults: (run) =>
      eachStream(run, (events) => {
        const keys = events
          .filter(({ type }) => type === 'OutputCommitted')
          .map((event) => String(dataOf(event)['key']));
        return doubles(keys).map((key) => `output ${key} twice`);
      }),
  },
  {
    name: 'I2 a key makes at most one job',
    faults: (run) => {
      const keys = [...run.streams.values()].map((events) => dataOf(events[0]!)['idempotencyKey']);
      return doubles(keys.filter((key) => typeof key === 'string')).map((key) => `key ${key} made two jobs`);
    },
  },
  {
    name: 'I33 attempts are bounded',
    faults: (run) =>
      eachStream(run, (events) => {
        const spent = events.filter(
          (event) => event.type === 'LeaseLost' && dataOf(event)['attemptSpent'] === true,
        ).length;
        const most = Number(dataOf(events[0]!)['maxAttempts']);
        return spent >= most ? [`${spent} attempts of ${most} were lost and it goes on`] : [];
      }),
  },
  { name: 'I23 the log is append-only', faults: (run) => run.forbiddenRights },
];

/** The status of a job by its log and the edges above. */
export function statusOf(events: readonly RecordedEvent[]): string {
  return events.reduce((status, { type }) => EDGES[status]?.[type] ?? ENDS[type] ?? status, 'none');
}

export function dataOf(event: RecordedEvent): Record<string, unknown> {
  return event.data === null ? {} : (JSON.parse(event.data.toString()) as Record<string, unknown>);
}

export function doubles(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.has(text) || !seen.add(text));
}

function illegalEdges(events: readonly RecordedEvent[]): readonly string[] {
  let status = 'none';
  return events.flatMap((event) => {
    const next = EDGES[status]?.[event.type];
    const fault = next === undefined ? [`v${event.version} ${event.type} while ${status}`] : [];
    status = next ?? ENDS[event.type] ?? status;
    return fault;
  });
}

function staleReports(events: readonly RecordedEvent[]): readonly string[] {
  let fence = 0;
  const reports: string[] = [];
  const faults = events.flatMap((event) => {
    if (event.type === 'JobLeased') fence += 1;
    if (event.workerSeq === null) return [];
    reports.push(`${event.fence}/${event.workerSeq}`);
    return event.fence === fence ? [] : [named(`came under fence ${event.fence} while ${fence} held`)(event)];
  });
  return [...faults, ...doubles(reports).map((report) => `report ${report} had two effects`)];
}

function eachStream(
  run: RecordedRun,
  faults: (events: readonly RecordedEvent[]) => readonly string[],
): readonly string[] {
  return [...run.streams].flatMap(([jobId, events]) => faults(events).map((fault) => `job ${jobId}: ${fault}`));
}

function named(what: string): (event: RecordedEvent) => string {
  return ({ version, type }) => `v${version} ${type} ${what}`;
}
