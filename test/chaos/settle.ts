import { codeOf, eventually, isTerminal, jsonOf, send } from '@heddle/testing-api';
import type { Asset, HeddleClient, Job, JobPage } from '@heddle/testing-api';
import type { History, Submission, Upload } from './history.ts';
import { authorized, submissionOf, uploadOf } from './load.ts';

/** Outcomes of the acknowledged submissions and uploads of a run */
export interface Settlement {
  acknowledged: number;
  /** Requests without an answer, whose outcome was found later */
  unanswered: number;
  /** Submissions among them that were carried out */
  doneInSilence: number;
  found: number;
  lost: string[];
  doubled: string[];
}

/** A service after the faults */
export interface Surface {
  readonly url: string;
  readonly client: HeddleClient;
  /** Where it asks for a key */
  readonly token?: string | undefined;
}

const AT_ONCE = 16;
/** Time-out for thousands of jobs on a busy machine */
const DRAIN_WITHIN_MS = 120_000;

/**
 * Acts like a client after a crash: reads acknowledged jobs and assets, asks for unknown outcomes (`GET
 * /jobs?idempotency_key=`), and repeats with the same key if nothing was carried out. Then waits for all jobs to end.
 * Covers the records since the last settlement; `examine` covers all.
 */
export async function settle(heddle: Surface, history: History, drainWithinMs = DRAIN_WITHIN_MS): Promise<Settlement> {
  const settlement: Settlement = { acknowledged: 0, unanswered: 0, doneInSilence: 0, found: 0, lost: [], doubled: [] };
  const { submissions, uploads } = history.unsettled();
  await forEach(submissions, (entry) => settleSubmission(heddle, history, entry, settlement));
  await forEach(uploads, (entry) => settleUpload(heddle, history, entry, settlement));
  await drained(heddle, history, drainWithinMs);
  return settlement;
}

/** `<what>: acknowledged A, found F, lost L, doubled D (U unanswered, settled since)` */
export function settlementLine(what: string, { acknowledged, unanswered, found, lost, doubled }: Settlement): string {
  return `${what}: acknowledged ${acknowledged}, found ${found}, lost ${lost.length}, doubled ${doubled.length} (${unanswered} unanswered, settled since)\n`;
}

async function settleSubmission(
  heddle: Surface,
  history: History,
  entry: Submission,
  settlement: Settlement,
): Promise<void> {
  const page = await heddle.client.jobPage(`?idempotency_key=${entry.key}`);
  const ids = page.jobs.map((job) => job.id);
  if (ids.length > 1) settlement.doubled.push(`submission ${entry.key}`);
  if (entry.outcome === 'ok') {
    settlement.acknowledged += 1;
    if (entry.jobId !== null && ids.includes(entry.jobId)) settlement.found += 1;
    else settlement.lost.push(`submission ${entry.key}`);
    return;
  }
  if (entry.outcome === 'refused') {
    if (ids.length > 0) history.offences.push(`submission ${entry.key} was refused (${entry.code}) and exists`);
    return;
  }
  settlement.unanswered += 1;
  settlement.doneInSilence += ids.length;
  const again = await send(heddle.url, authorized(submissionOf(entry.workflow, entry.key), heddle.token));
  const expected = ids.length === 0 ? 201 : 422;
  // If the client has deleted the input since, the refusal is correct.
  const hasLostInput = again.status === 422 && codeOf(again) === 'missing_asset' && namesDeleted(entry, history);
  if (again.status !== expected && !(ids.length === 0 && hasLostInput)) {
    history.offences.push(
      `submission ${entry.key}, ${ids.length} found: the second try got ${again.status} ${codeOf(again)}`,
    );
  }
  entry.jobId = ids[0] ?? (again.status === 201 ? jsonOf<Job>(again).id : null);
  entry.outcome = entry.jobId === null ? 'refused' : 'ok';
}

function namesDeleted({ workflow }: Submission, { uploads }: History): boolean {
  return uploads.some(({ assetId, deleted }) => deleted && assetId !== null && workflow.includes(assetId));
}

async function settleUpload(heddle: Surface, history: History, entry: Upload, settlement: Settlement): Promise<void> {
  if (entry.outcome === 'ok' && !entry.deleted) {
    settlement.acknowledged += 1;
    const content = await heddle.client.content(entry.assetId ?? '');
    if (content.status === 200 && content.bytes.equals(entry.bytes)) settlement.found += 1;
    else settlement.lost.push(`upload ${entry.key}: ${content.status}`);
  }
  if (entry.outcome !== 'unknown') return;
  settlement.unanswered += 1;
  const again = await send(heddle.url, authorized(uploadOf(entry), heddle.token));
  if (again.status === 201 || again.status === 200) {
    entry.outcome = 'ok';
    entry.assetId = jsonOf<Asset>(again).id;
  } else if (codeOf(again) === 'idempotency_key_reuse') {
    // The bytes are stored. Uploads have no lookup by key, so the asset's id stays unknown.
    const bytes = await heddle.client.headByHash(entry.hash);
    if (bytes.status !== 200) settlement.lost.push(`upload ${entry.key} holds its key but not its bytes`);
    entry.outcome = 'ok';
    entry.deleted = true;
  } else {
    history.offences.push(`upload ${entry.key}: the second try got ${again.status} ${codeOf(again)}`);
  }
}

/** Waits until every job has ended, and records how. */
export async function drained(heddle: Surface, history: History, withinMs = DRAIN_WITHIN_MS): Promise<void> {
  await eventually(
    'the end of every job',
    async () => (await heddle.client.jobPage('?status=queued,running,canceling&limit=1')).jobs.length === 0,
    withinMs,
  );
  let cursor = '';
  do {
    const page: JobPage = await heddle.client.jobPage(`?limit=100${cursor}`);
    for (const { id, status } of page.jobs) if (isTerminal(status)) history.sawEnd(id, status);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
