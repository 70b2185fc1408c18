import { NIL_UUID } from '@heddle/contracts-messages';
import { blake3Of } from '@heddle/testing-api';
import { dataOf, statusOf } from './log-checks.ts';
import type { Check } from './log-checks.ts';
import type { RecordedRun } from './recorded-run.ts';

const OPEN: Readonly<Record<string, string>> = { queued: 'queued', running: 'leased', canceling: 'canceling' };
const WHOLE_DEPLOYMENT = NIL_UUID;

/** Checks of tables and files against the log and each other */
export const TABLE_CHECKS: readonly Check<RecordedRun>[] = [
  {
    name: 'I22 the read model shows what the log says',
    faults: (run) => {
      const shown = new Map(run.jobs.map((job) => [job.id, job]));
      const faults = [...run.streams].flatMap(([jobId, events]) => {
        const status = statusOf(events);
        const row = shown.get(jobId);
        shown.delete(jobId);
        if (status === 'purged') return row === undefined ? [] : [`job ${jobId} was purged and is shown`];
        if (row?.status === status && row.version === events.length) return [];
        return [`job ${jobId} is ${row?.status} v${row?.version}, the log says ${status} v${events.length}`];
      });
      return [...faults, ...[...shown.keys()].map((jobId) => `job ${jobId} has no event`)];
    },
  },
  {
    name: 'I9 outputs are shown once, in the order of their commit',
    faults: (run) => {
      const shown = Map.groupBy(run.outputs, ({ job_id }) => job_id);
      return [...run.streams].flatMap(([jobId, events]) => {
        if (statusOf(events) === 'purged') return [];
        const logged = events
          .filter(({ type }) => type === 'OutputCommitted')
          .map((event) => String(dataOf(event)['key']));
        const found = (shown.get(jobId) ?? []).map(({ key }) => key);
        return logged.join() === found.join()
          ? []
          : [`job ${jobId} shows [${found.join()}], committed [${logged.join()}]`];
      });
    },
  },
  {
    name: 'I34 what has not ended is in the queue, what has ended is not',
    faults: (run) => {
      const queued = new Map(run.queue.map((row) => [row.job_id, row.state]));
      const faults = [...run.streams].flatMap(([jobId, events]) => {
        const status = statusOf(events);
        return queued.get(jobId) === OPEN[status]
          ? []
          : [`job ${jobId} is ${status}, its queue row ${queued.get(jobId)}`];
      });
      return faults;
    },
  },
  {
    name: 'I31 the counters of the queue equal what is in it',
    faults: (run) =>
      run.depths.flatMap(({ account_id, waiting, running }) => {
        const whole = account_id === WHOLE_DEPLOYMENT;
        const mine = run.queue.filter((row) => whole || row.account_id === account_id);
        const counted = mine.filter(({ state }) => state === 'queued').length;
        const leased = whole ? 0 : mine.length - counted;
        return waiting === counted && running === leased
          ? []
          : [`account ${account_id}: ${waiting} and ${running} counted, ${counted} and ${leased} there`];
      }),
  },
  {
    name: 'I3 every held key belongs to a job or an asset',
    faults: (run) => {
      const made = new Map(run.jobs.map((job) => [job.idempotency_key, job.id]));
      const jobs = run.jobKeys.filter(
        ({ key, job_id }) => run.streams.has(job_id) && made.has(key) && made.get(key) !== job_id,
      );
      const lost = run.jobKeys.filter(({ job_id }) => !run.streams.has(job_id));
      return [...jobs, ...lost].map(({ key, job_id }) => `key ${key} is held for job ${job_id}`);
    },
  },
  {
    name: 'I18 a workflow is kept byte for byte',
    faults: (run) =>
      run.jobs.flatMap(({ id, workflow_hash }) => {
        const bytes = run.workflows.get(workflow_hash);
        if (bytes === undefined) return [`the workflow of job ${id} is missing`];
        return blake3Of(bytes) === `blake3:${workflow_hash}` ? [] : [`the workflow of job ${id} has other bytes`];
      }),
  },
  {
    name: 'I10 every output of a kept job is an asset',
    faults: (run) => {
      const assets = new Map(run.assets.map((asset) => [asset.id, asset]));
      return run.outputs.flatMap(({ job_id, key, asset_id }) => {
        const asset = assets.get(asset_id);
        return asset?.job_id === job_id && asset.confirmed
          ? []
          : [`output ${key} of job ${job_id}: ${JSON.stringify(asset)}`];
      });
    },
  },
  {
    name: 'I17 the objects are those of the blobs, and no others',
    faults: (run) => {
      const wanted = new Set(run.blobs.map((blob) => blob.object_key));
      const doomed = new Set(run.doomedObjects);
      const missing = [...wanted].filter((key) => !run.objects.includes(key));
      const strange = run.objects.filter((name) => !wanted.has(name) && !doomed.has(name));
      return [
        ...missing.map((key) => `object ${key} is missing`),
        ...strange.map((name) => `file ${name} is nobody's`),
      ];
    },
  },
  {
    name: 'nothing is left of what was under way',
    faults: (run) => {
      const ended = (jobId: string): boolean => OPEN[statusOf(run.streams.get(jobId) ?? [])] === undefined;
      // A submission without an answer may leave a hold without a job, which expires after this run.
      const holds = run.holds.filter(({ job_id, firm }) => (firm || run.streams.has(job_id)) && ended(job_id));
      const named = new Set(run.outputs.map(({ asset_id }) => asset_id));
      const unnamed = run.assets.filter(({ id, job_id }) => job_id !== null && !named.has(id) && ended(job_id));
      return [
        ...holds.map(({ job_id, firm }) => `a ${firm ? 'firm' : 'provisional'} hold of job ${job_id}`),
        ...run.openUploads.map((key) => `the upload ${key}`),
        ...unnamed.map(({ id }) => `the output asset ${id} that no job names`),
      ];
    },
  },
];
