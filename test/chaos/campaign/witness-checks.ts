import { blake3Of, isTerminal } from '@heddle/testing-api';
import { dataOf, doubles, statusOf } from '../log-checks.ts';
import type { Check } from '../log-checks.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { FREEZE_OF_ALL_JOBS } from './fault.ts';
import type { Journal, Seen, WatchedStream } from './journal.ts';

export interface Witnessed {
  readonly run: RecordedRun;
  readonly journal: Pick<Journal, keyof Journal>;
}

/** How long after a broker fault a read still counts as affected by it */
const AFTERWARDS_MS = 2_000;
/** Reads near the start or end of another fault say nothing about a broker. */
const APART_MS = 15_000;

/** Checks of the readers' observations, against the log and each other */
export const WITNESS_CHECKS: readonly Check<Witnessed>[] = [
  {
    name: 'I4 a rejected duplicate leaves the first submission as it is',
    faults: ({ run, journal }) => {
      const first = new Map(journal.submissions.map((entry) => [entry.key, entry]));
      return journal.duplicates.flatMap(({ key, status }) => {
        const { jobId, workflow } = first.get(key)!;
        if (status !== 422) return [`the duplicate of key ${key} got ${status}`];
        const submitted = run.streams.get(jobId ?? '')?.[0];
        const kept = submitted !== undefined && dataOf(submitted)['workflowHash'] === blake3Of(Buffer.from(workflow));
        return kept ? [] : [`key ${key} has another workflow since its duplicate was refused`];
      });
    },
  },
  {
    name: 'I5 status, outputs and end of a terminal job stay as they were seen',
    faults: ({ journal }) => {
      const ends = new Map<string, { readonly shown: string; readonly endedAt: number }>();
      return journal.seen.flatMap(({ jobId, status, completedAt, outputs, progress, begunAt, endedAt }) => {
        const shown = JSON.stringify([status, completedAt, outputs, progress]);
        const end = ends.get(jobId);
        if (end === undefined && isTerminal(status)) ends.set(jobId, { shown, endedAt });
        // A read that overlaps the read which saw the end may have been answered earlier.
        if (end === undefined || begunAt <= end.endedAt || end.shown === shown) return [];
        return [`job ${jobId} was ${end.shown} and became ${shown}`];
      });
    },
  },
  { name: 'I7 no lease is lost because every jobs process was frozen', faults: leasesLostToFreezes },
  {
    name: 'I9 outputs that were seen stay, in their order, and are those of the log',
    faults: ({ run, journal }) => journal.seen.flatMap((seen) => strangeOutputs(run, seen)),
  },
  {
    name: 'I10 an output that is shown can be downloaded',
    faults: ({ journal }) =>
      journal.downloads.filter(({ why, status }) => why === 'output' && status === 404).map(lost),
  },
  { name: 'I11 a stream tells in the order of the log, and ends with the end', faults: eachStream(disorder) },
  {
    name: 'I12 a stream begins with the status; of a job that has ended, with its end',
    faults: eachStream(({ frames, openedAfterEnd }) => {
      const statuses = frames.filter(({ event }) => event === 'status').map(({ value }) => value);
      const [first = 'running'] = statuses;
      // The end is sent last, so the first frame must not be terminal.
      if (isTerminal(first)) return [];
      if (openedAfterEnd && statuses.length > 0) return [`it began with ${first} after the end`];
      return frames.length === 0 || frames[0]?.event === 'status' ? [] : [`it began with ${frames[0]?.event}`];
    }),
  },
  {
    name: 'I13 the progress of a job that has ended is that of its last event',
    faults: ({ run, journal }) =>
      journal.seen.flatMap(({ jobId, status, progress }) => {
        const end = run.streams.get(jobId)?.find(({ isTerminal: ends }) => ends);
        if (!isTerminal(status) || end === undefined) return [];
        const logged = dataOf(end)['progress'] as Record<string, unknown> | null | undefined;
        const shown = JSON.parse(progress) as Record<string, unknown> | null;
        const same = logged?.['value'] === shown?.['value'] && logged?.['nodesDone'] === shown?.['nodes_done'];
        return same ? [] : [`job ${jobId} shows ${progress}, its end has ${JSON.stringify(logged)}`];
      }),
  },
  {
    name: 'I14 no GET fails because of a broker',
    faults: ({ journal }) => {
      const { strikes, reads } = journal;
      const others = strikes.filter(({ family, fault }) => family !== 'broker' && !fault.endsWith(': broker'));
      return strikes
        .filter((strike) => !others.includes(strike))
        .flatMap(({ fault, begunAt, healedAt }) =>
          reads
            .filter((read) => read.begunAt > begunAt && read.endedAt < healedAt + AFTERWARDS_MS)
            .filter(({ status }) => status === null || status >= 500)
            .filter((read) => !others.some((o) => read.begunAt < o.healedAt + APART_MS && read.endedAt > o.begunAt))
            .map(({ target, status }) => `${fault}: GET ${target} -> ${status ?? 'no answer'}`),
        );
    },
  },
  {
    name: 'I15 what was deleted takes no other asset along',
    faults: ({ journal }) =>
      journal.downloads.filter(({ why, status }) => why === 'upload' && status === 404).map(lost),
  },
  {
    name: 'I16 what was minted from a hash can be read',
    faults: ({ journal }) => journal.downloads.filter(({ why, status }) => why === 'mint' && status === 404).map(lost),
  },
  {
    name: 'I17 equal bytes are one blob',
    faults: ({ run }) => doubles(run.blobs.map(({ hash }) => hash)).map((hash) => `${hash} is stored twice`),
  },
  {
    name: 'I18 bytes that are read have their hash',
    faults: ({ journal }) =>
      journal.downloads
        .filter(({ hash, hashRead }) => hashRead !== null && hashRead !== hash)
        .map(({ assetId, hash, hashRead }) => `asset ${assetId} of ${hash} gave ${hashRead}`),
  },
  {
    name: 'I19 an upload with a false hash leaves nothing',
    faults: ({ run, journal }) => {
      const stored = new Set(run.blobs.map(({ hash }) => hash));
      return journal.mismatched.filter((hash) => stored.has(hash)).map((hash) => `${hash} is stored`);
    },
  },
  {
    name: 'I34 every acknowledged job has ended',
    faults: ({ run, journal }) =>
      journal.acknowledgedJobs.flatMap((jobId) => {
        const status = statusOf(run.streams.get(jobId) ?? []);
        return isTerminal(status) || status === 'purged' ? [] : [`job ${jobId} is ${status}`];
      }),
  },
  {
    name: 'I35 no deadline of an hour or a day passed within the campaign',
    faults: ({ run }) =>
      [...run.streams].flatMap(([jobId, events]) =>
        events
          .filter(({ type }) => type === 'JobExpired' || type === 'JobPurged' || type === 'JobFailed')
          .filter((event) => event.type !== 'JobFailed' || errorCode(dataOf(event)) === 'timeout')
          .map(({ type, version }) => `job ${jobId}: v${version} ${type}`),
      ),
  },
];

/** Only leases granted after earlier faults had healed: their workers were not hit. */
function leasesLostToFreezes({ run, journal }: Witnessed): readonly string[] {
  const wallMs = (at: number): number => performance.timeOrigin + at;
  return journal.strikes
    .filter(({ fault }) => fault === FREEZE_OF_ALL_JOBS)
    .flatMap(({ begunAt, healedAt }) => {
      const before = journal.strikes.filter((strike) => strike.begunAt < begunAt).map((strike) => strike.healedAt);
      const quietSince = wallMs(Math.max(0, ...before));
      return [...run.streams].flatMap(([jobId, events]) =>
        events
          .filter((event, at) => {
            const leased = events.slice(0, at).findLast(({ type }) => type === 'JobLeased');
            const lostAt = Date.parse(event.recordedAt);
            const isLoss = event.type === 'LeaseLost' && dataOf(event)['reason'] === 'expired';
            const leasedAt = leased === undefined ? 0 : Date.parse(leased.recordedAt);
            const during = lostAt > wallMs(begunAt) && lostAt < wallMs(healedAt) + AFTERWARDS_MS;
            return isLoss && during && leasedAt > quietSince && leasedAt < wallMs(begunAt);
          })
          .map(({ version }) => `job ${jobId}: v${version} LeaseLost although its worker lived`),
      );
    });
}

function eachStream(
  faults: (stream: WatchedStream, run: RecordedRun) => readonly string[],
): Check<Witnessed>['faults'] {
  return ({ run, journal }) =>
    journal.streams.flatMap((stream) =>
      faults(stream, run).map((fault) => `the stream of job ${stream.jobId}: ${fault}`),
    );
}

function disorder({ jobId, frames, endedByServer }: WatchedStream, run: RecordedRun): readonly string[] {
  const events = run.streams.get(jobId) ?? [];
  const committed = outputIds(run, jobId);
  const outputs = frames.filter(({ event }) => event === 'output').map((frame) => frame.value);
  const statuses = frames.filter(({ event }) => event === 'status').map((frame) => frame.value);
  const end = frames.findIndex((frame) => frame.event === 'status' && isTerminal(frame.value));
  const canceling = statuses.indexOf('canceling');
  const faults = [
    ...doubles(outputs).map((id) => `output ${id} twice`),
    ...(outputs.join() === committed.filter((id) => outputs.includes(id)).join()
      ? []
      : [`outputs ${outputs.join()} in another order`]),
    ...(canceling >= 0 && statuses.slice(canceling).some((status) => status === 'queued' || status === 'running')
      ? ['canceling was taken back']
      : []),
  ];
  if (end < 0) return faults;
  if (end !== frames.length - 1) faults.push(`${frames.length - 1 - end} frames after the end`);
  if (frames[end]?.value !== statusOf(events))
    faults.push(`it ended ${frames[end]?.value}, the log ${statusOf(events)}`);
  if (outputs.length < committed.length) faults.push(`${outputs.length} outputs of ${committed.length} before the end`);
  if (endedByServer === false) faults.push('it stayed open after the end');
  return faults;
}

function strangeOutputs(run: RecordedRun, { jobId, status, outputs }: Seen): readonly string[] {
  const committed = outputIds(run, jobId);
  if (outputs.join() !== committed.slice(0, outputs.length).join()) {
    return [`job ${jobId} showed ${outputs.join()}, the log has ${committed.join()}`];
  }
  return isTerminal(status) && outputs.length < committed.length ? [`job ${jobId} ended without all its outputs`] : [];
}

function outputIds(run: RecordedRun, jobId: string): readonly string[] {
  const events = run.streams.get(jobId) ?? [];
  return events.filter(({ type }) => type === 'OutputCommitted').map((event) => String(dataOf(event)['assetId']));
}

function errorCode(data: Record<string, unknown>): unknown {
  return (data['error'] as { readonly code?: unknown } | undefined)?.code;
}

function lost({ assetId, hash }: { readonly assetId: string; readonly hash: string }): string {
  return `asset ${assetId} of ${hash} answered 404`;
}
