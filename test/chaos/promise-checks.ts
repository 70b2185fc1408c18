import { blake3Of } from '@heddle/testing-api';
import type { History } from './history.ts';
import { dataOf, statusOf } from './log-checks.ts';
import type { Check } from './log-checks.ts';
import type { RecordedRun } from './recorded-run.ts';

export interface Promises {
  readonly run: RecordedRun;
  readonly history: History;
}

/** Checks of the answers to clients against the stored state */
export const PROMISE_CHECKS: readonly Check<Promises>[] = [
  {
    name: 'I1 every acknowledged submission is in the log, with the bytes that were sent',
    faults: ({ run, history }) =>
      history.submissions.flatMap(({ outcome, jobId, key, workflow }) => {
        if (outcome !== 'ok') return [];
        const submitted = run.streams.get(jobId ?? '')?.[0];
        if (submitted === undefined) return [`job ${jobId} of key ${key} is not there`];
        const { idempotencyKey, workflowHash } = dataOf(submitted);
        return idempotencyKey === key && workflowHash === blake3Of(Buffer.from(workflow))
          ? []
          : [`job ${jobId} is another submission than that of key ${key}`];
      }),
  },
  {
    name: 'I2 no submission made two jobs, and none exists that nobody sent',
    faults: ({ run, history }) => {
      const sent = new Map(history.submissions.map((entry) => [entry.key, entry]));
      return [...run.streams].flatMap(([jobId, events]) => {
        const entry = sent.get(String(dataOf(events[0]!)['idempotencyKey']));
        if (entry === undefined) return [`job ${jobId} was sent by nobody`];
        return entry.jobId === jobId || entry.outcome === 'unknown'
          ? []
          : [`job ${jobId} stands beside ${entry.jobId}`];
      });
    },
  },
  {
    name: 'I3 a refused submission holds no key and made no job',
    faults: ({ run, history }) => {
      const held = new Set([...run.jobKeys.map(({ key }) => key), ...run.assetKeys.map(({ key }) => key)]);
      const refused = [...history.submissions, ...history.uploads].filter(({ outcome }) => outcome === 'refused');
      return refused.filter(({ key }) => held.has(key)).map(({ key }) => `key ${key} is held`);
    },
  },
  {
    name: 'I5 a job that was seen at its end stays as it was seen',
    faults: ({ run, history }) =>
      [...history.seenEnds].flatMap(([jobId, seen]) => {
        const status = statusOf(run.streams.get(jobId) ?? []);
        return status === seen || status === 'purged' ? [] : [`job ${jobId} was seen ${seen} and is ${status}`];
      }),
  },
  {
    name: 'I32 an acknowledged cancel ends the job or finds it ended',
    faults: ({ run, history }) =>
      history.cancels.flatMap(({ jobId, outcome, status }) => {
        if (outcome !== 'ok') return [];
        const events = run.streams.get(jobId) ?? [];
        const end = statusOf(events);
        const asked = events.some(({ type }) => type === 'CancelRequested');
        const kept =
          status === 'canceling'
            ? asked && ['canceling', 'canceled', 'succeeded', 'failed'].includes(end)
            : end === status;
        return kept ? [] : [`job ${jobId} answered ${status} and is ${end}`];
      }),
  },
  {
    name: 'an acknowledged upload is stored with its bytes',
    faults: ({ run, history }) => {
      const assets = new Map(run.assets.map((asset) => [asset.id, asset.hash]));
      return history.uploads.flatMap(({ outcome, deleted, assetId, hash, key }) =>
        outcome !== 'ok' || deleted || assets.get(assetId ?? '') === hash ? [] : [`upload ${key} is not there`],
      );
    },
  },
  { name: 'every answer was one that the contract has', faults: ({ history }) => history.offences },
];
