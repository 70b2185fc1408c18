import { randomUUID } from 'node:crypto';
import { dataOf, statusOf } from '../log-checks.ts';
import type { RecordedEvent } from '../recorded-run.ts';
import type { Evidence } from './campaign-evidence.ts';
import { FREEZE_OF_ALL_JOBS } from './fault.ts';
import { Journal } from './journal.ts';
import type { WatchedStream } from './journal.ts';
import type { TopicRecord } from './topic-record.ts';

/** A defect in the data of a campaign, and the check that must fail on it */
export interface Mutant {
  readonly what: string;
  readonly check: RegExp;
  readonly mutate: (evidence: Evidence) => Evidence;
}

/** Traces that defects of the product would leave in the log, on the topic or at clients */
export const MUTANTS: readonly Mutant[] = [
  {
    what: 'a relay that moves its checkpoint before the acknowledgement',
    check: /^I25 every event/,
    mutate: onTopic((topic) => topic.filter(({ eventId }) => eventId !== topic[0]!.eventId)),
  },
  {
    what: 'a relay that overtakes itself',
    check: /^I25 a job's events/,
    mutate: onTopic((topic) => {
      const at = topic.findIndex(({ version }) => version === 2);
      const { key } = topic[at]!;
      return [topic[at]!, ...topic.filter((record) => record.key !== key || record.version > 2)];
    }),
  },
  {
    what: 'a job on two partitions',
    check: /^I25 a job's events/,
    mutate: onTopic((topic) => [...topic, { ...topic[0]!, partition: topic[0]!.partition + 1 }]),
  },
  {
    what: 'an event that was published and then rolled back',
    check: /^I26 /,
    mutate: onTopic((topic) => [...topic, { ...topic[0]!, eventId: randomUUID() }]),
  },
  {
    what: 'an event with another place than in the log',
    check: /^I26 /,
    mutate: onTopic(([first, ...topic]) => [{ ...first!, seq: first!.seq + 1 }, ...topic]),
  },
  {
    what: 'a service that cannot read its own messages',
    check: /^no message of the services/,
    mutate: (evidence) => ({ ...evidence, deadLetters: ['heddle.worker.events.v1.dlq'] }),
  },
  {
    what: 'a fence that nobody compares',
    check: /^I8 /,
    mutate: onJob((events) => {
      const output = events.find(({ type }) => type === 'OutputCommitted')!;
      return events.map((event) => (event === output ? { ...event, fence: (event.fence ?? 1) - 1 } : event));
    }),
  },
  {
    what: 'a thawed jobs service that ends leases at once',
    check: /^I7 no lease is lost/,
    mutate: loseLeaseToFreeze,
  },
  {
    what: 'a lost acknowledged submission',
    check: /^I1 /,
    mutate: onJob(() => null),
  },
  {
    what: 'an output that two attempts committed',
    check: /^I9 an output is committed once/,
    mutate: onJob((events) => events.flatMap((event) => (event.type === 'OutputCommitted' ? [event, event] : [event]))),
  },
  {
    what: 'an acknowledged job that nobody finishes',
    check: /^I34 every acknowledged/,
    mutate: onJob((events) => events.filter(({ isTerminal }) => !isTerminal)),
  },
  {
    what: 'a wait of a day that a clock cut short',
    check: /^I35 /,
    mutate: onJob((events) => events.map((event) => (event.isTerminal ? { ...event, type: 'JobExpired' } : event))),
  },
  {
    what: 'a duplicate that was accepted',
    check: /^I4 /,
    mutate: onJournal((journal) => {
      const { key } = journal.submissions.find(({ outcome }) => outcome === 'ok')!;
      journal.note('duplicates', { key, status: 201 });
    }),
  },
  {
    what: 'an end that moved',
    check: /^I5 status, outputs/,
    mutate: onJournal((journal, jobId) => {
      const seen = journal.seen.findLast((one) => one.jobId === jobId)!;
      journal.note('seen', { ...seen, begunAt: Infinity, completedAt: '2000-01-01T00:00:00.000Z' });
    }),
  },
  {
    what: 'an output that vanished',
    check: /^I9 outputs that were seen/,
    mutate: onJournal((journal, jobId) => {
      const seen = journal.seen.findLast((one) => one.jobId === jobId)!;
      journal.note('seen', { ...seen, outputs: [randomUUID()] });
    }),
  },
  {
    what: 'progress that went back at the end',
    check: /^I13 /,
    mutate: onJournal((journal, jobId) => {
      const seen = journal.seen.findLast((one) => one.jobId === jobId)!;
      journal.note('seen', { ...seen, progress: JSON.stringify({ value: 0.125, nodes_done: 77 }) });
    }),
  },
  ...(['output', 'upload', 'mint'] as const).map((why) => ({
    what: `bytes of an ${why} that are gone`,
    check: { output: /^I10 an output that/, upload: /^I15 /, mint: /^I16 / }[why],
    mutate: onJournal((journal) => {
      journal.note('downloads', { assetId: randomUUID(), hash: 'blake3:00', status: 404, hashRead: null, why });
    }),
  })),
  {
    what: 'other bytes than were stored',
    check: /^I18 bytes that are read/,
    mutate: onJournal((journal) => {
      journal.note('downloads', {
        assetId: randomUUID(),
        hash: 'blake3:00',
        status: 200,
        hashRead: 'blake3:01',
        why: 'output',
      });
    }),
  },
  {
    what: 'a frame after the end',
    check: /^I11 /,
    mutate: onStream(({ frames }) => ({ frames: [...frames, { event: 'progress', value: '1' }] })),
  },
  {
    what: 'an output that is sent twice',
    check: /^I11 /,
    mutate: onStream(({ frames }) => ({ frames: [...frames.filter(({ event }) => event === 'output'), ...frames] })),
  },
  { what: 'a stream that never ends', check: /^I11 /, mutate: onStream(() => ({ endedByServer: false })) },
  {
    what: 'a stream without its first status',
    check: /^I12 /,
    mutate: onStream(({ frames }) => ({ frames: [{ event: 'progress', value: '0' }, ...frames] })),
  },
  {
    what: 'a GET that asks a broker',
    check: /^I14 /,
    mutate: onJournal((journal) => {
      journal.strikes.length = 0;
      journal.note('strikes', { fault: 'kill broker', family: 'broker', alone: true, begunAt: 10, healedAt: 30 });
      journal.note('reads', { begunAt: 11, endedAt: 29, target: '/api/v2/jobs', status: 500 });
    }),
  },
  {
    what: 'equal bytes that are stored twice',
    check: /^I17 equal bytes/,
    mutate: (evidence) => ({
      ...evidence,
      run: { ...evidence.run, blobs: evidence.run.blobs.flatMap((blob) => [blob, blob]) },
    }),
  },
  {
    what: 'a hold that its job left behind',
    check: /^nothing is left /,
    mutate: (evidence) => ({
      ...evidence,
      run: { ...evidence.run, holds: [...evidence.run.holds, { job_id: someJob(evidence), firm: false }] },
    }),
  },
  {
    what: 'a refused upload that was kept',
    check: /^I19 /,
    mutate: (evidence) => {
      const journal = copyOf(evidence.journal);
      journal.note('mismatched', evidence.run.blobs[0]!.hash);
      return { ...evidence, journal };
    },
  },
];

function onTopic(change: (topic: readonly TopicRecord[]) => readonly TopicRecord[]): Mutant['mutate'] {
  return (evidence) => ({ ...evidence, topic: change(evidence.topic) });
}

/** Changes the events of an acknowledged job that succeeded with one lease and an output. */
function onJob(change: (events: readonly RecordedEvent[]) => readonly RecordedEvent[] | null): Mutant['mutate'] {
  return (evidence) => {
    const jobId = someJob(evidence);
    const streams = new Map(evidence.run.streams);
    const changed = change(streams.get(jobId)!);
    if (changed === null) streams.delete(jobId);
    else streams.set(jobId, changed);
    return { ...evidence, run: { ...evidence.run, streams } };
  };
}

/** Adds a freeze that began a second after a lease was granted, and the loss of that lease before its end. */
function loseLeaseToFreeze(evidence: Evidence): Evidence {
  const journal = copyOf(evidence.journal);
  const leasedAt = Date.parse(
    evidence.run.streams.get(someJob(evidence))!.find(({ type }) => type === 'JobLeased')!.recordedAt,
  );
  const begunAt = leasedAt + 1_000 - performance.timeOrigin;
  journal.strikes.length = 0;
  const strike = { fault: FREEZE_OF_ALL_JOBS, family: 'freeze', alone: true, begunAt, healedAt: begunAt + 10_000 };
  journal.note('strikes', strike);
  const recordedAt = new Date(leasedAt + 5_000).toISOString();
  const data = Buffer.from('{"reason":"expired"}');
  const lose = onJob((events) => [...events, { ...events[0]!, type: 'LeaseLost', recordedAt, data }]);
  return { ...lose(evidence), journal };
}

function onJournal(change: (journal: Journal, jobId: string) => void): Mutant['mutate'] {
  return (evidence) => {
    const journal = copyOf(evidence.journal);
    change(journal, someJob(evidence));
    return { ...evidence, journal };
  };
}

/** Adds the record of a watcher of an ended job, with the given change. */
function onStream(change: (honest: WatchedStream) => Partial<WatchedStream>): Mutant['mutate'] {
  return (evidence) => {
    const journal = copyOf(evidence.journal);
    const jobId = someJob(evidence);
    const outputs = evidence.run.streams.get(jobId)!.filter(({ type }) => type === 'OutputCommitted');
    const frames = [
      { event: 'status', value: 'running' },
      ...outputs.map((event) => ({ event: 'output', value: String(dataOf(event)['assetId']) })),
      { event: 'status', value: 'succeeded' },
    ];
    const honest: WatchedStream = { jobId, openedAfterEnd: false, endedByServer: true, frames };
    journal.note('streams', { ...honest, ...change(honest) });
    return { ...evidence, journal };
  };
}

function someJob({ run, journal }: Evidence): string {
  const looked = new Set(journal.seen.map(({ jobId }) => jobId));
  const jobId = journal.acknowledgedJobs.find((id) => {
    const events = run.streams.get(id) ?? [];
    const has = (type: string): boolean => events.some((event) => event.type === type);
    return looked.has(id) && statusOf(events) === 'succeeded' && has('OutputCommitted') && !has('LeaseLost');
  });
  if (jobId === undefined) throw new Error('no acknowledged job succeeded at its first attempt with an output');
  return jobId;
}

function copyOf(journal: Journal): Journal {
  const copy = new Journal();
  for (const entry of journal.submissions) copy.submission({ ...entry });
  for (const entry of journal.uploads) copy.upload({ ...entry });
  for (const entry of journal.cancels) copy.cancel(entry);
  for (const [jobId, status] of journal.seenEnds) copy.sawEnd(jobId, status);
  copy.offences.push(...journal.offences);
  for (const kind of [
    'seen',
    'streams',
    'reads',
    'duplicates',
    'downloads',
    'mismatched',
    'mints',
    'strikes',
  ] as const) {
    for (const entry of journal[kind]) copy.note(kind, entry as never);
  }
  return copy;
}
