import { randomUUID } from 'node:crypto';
import {
  assetReference,
  codeOf,
  failingGraph,
  isTerminal,
  jsonOf,
  loadGraph,
  pictureGraph,
  sleepingGraph,
  textGraph,
} from '@heddle/testing-api';
import type { Job, JobPage } from '@heddle/testing-api';
import type { Random } from '@heddle/testing-seed';
import type { Submission } from '../history.ts';
import { submissionOf } from '../load.ts';
import { ask, outcomeOf } from './campaign-client.ts';
import type { CampaignClient } from './campaign-client.ts';
import type { Journal } from './journal.ts';

/** Limit on accepted jobs that have not ended: more would only make the end of the campaign longer. */
const MAX_OPEN = 6;
const PAUSE_MS = 500;

/** Submits with its own keys, repeats requests without an answer, and sometimes sends an accepted one twice. */
export async function submitJobs(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  while (!client.isOver()) {
    await client.wait(random.below(PAUSE_MS));
    if (openJobs(journal) >= MAX_OPEN) continue;
    const entry: Submission = {
      key: randomUUID(),
      workflow: JSON.stringify(someGraph(journal, random)),
      outcome: 'unknown',
      jobId: null,
      code: null,
    };
    journal.submission(entry);
    await submit(client, entry);
    if (entry.outcome === 'unknown') await askAgain(client, entry);
    if (entry.outcome === 'ok' && random.below(6) === 0) await sendTwice(client, entry);
  }
}

async function submit(client: CampaignClient, entry: Submission): Promise<void> {
  const answer = await ask(client, submissionOf(entry.workflow, entry.key));
  // An earlier attempt whose answer was lost may hold the key: the outcome stays unknown.
  if (answer !== null && codeOf(answer) === 'idempotency_key_reuse') return;
  entry.outcome = outcomeOf(answer, client.journal, [201]);
  entry.jobId = answer !== null && entry.outcome === 'ok' ? jsonOf<Job>(answer).id : null;
  entry.code = answer === null ? null : codeOf(answer);
}

/** Finds the outcome like a careful client: looks the key up, and repeats with the same key while there is no job. */
async function askAgain(client: CampaignClient, entry: Submission): Promise<void> {
  for (let tries = 0; tries < 6 && entry.outcome === 'unknown' && !client.isOver(); tries += 1) {
    await client.wait(400);
    const found = await ask(client, { method: 'GET', target: `/api/v2/jobs?idempotency_key=${entry.key}` });
    if (found?.status !== 200) continue;
    const { jobs } = jsonOf<JobPage>(found);
    if (jobs.length > 1) client.journal.offences.push(`key ${entry.key} has ${jobs.length} jobs`);
    const [job] = jobs;
    if (job === undefined) await submit(client, entry);
    else {
      entry.outcome = 'ok';
      entry.jobId = job.id;
    }
  }
}

/** Sends another graph with a used key: refused, without any effect. */
async function sendTwice(client: CampaignClient, { key }: Submission): Promise<void> {
  const answer = await ask(client, submissionOf(JSON.stringify(textGraph('another graph')), key));
  if (answer === null || answer.status === 500) return;
  client.journal.note('duplicates', { key, status: answer.status });
}

function openJobs(journal: Journal): number {
  return journal.acknowledgedJobs.filter((jobId) => !journal.seenEnds.has(jobId)).length;
}

function someGraph(journal: Journal, random: Random): unknown {
  const dice = random.next();
  const pictures = journal.uploads.filter(
    (entry) => entry.outcome === 'ok' && !entry.deleted && isPicture(entry.filePath),
  );
  if (dice < 0.15) return sleepingGraph(0.2 + random.next());
  if (dice < 0.25) return failingGraph();
  if (dice < 0.45) return pictureGraph({ size: 16, color: random.below(0xffffff) });
  const picture = dice < 0.6 ? random.pick(pictures) : undefined;
  return picture === undefined ? textGraph(`text ${random.next()}`) : loadGraph(assetReference(picture.assetId ?? ''));
}

export function isPicture(filePath: string): boolean {
  return filePath.endsWith('.png');
}

/** Cancels jobs, most of them young. */
export async function cancelJobs(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  while (!client.isOver()) {
    await client.wait(1_000 + random.below(2_500));
    const jobId = random.pick(journal.acknowledgedJobs.slice(-6));
    if (jobId === undefined) continue;
    const answer = await ask(client, { method: 'POST', target: `/api/v2/jobs/${jobId}/cancel` });
    const outcome = outcomeOf(answer, journal, [200]);
    const status = answer !== null && outcome === 'ok' ? jsonOf<Job>(answer).status : null;
    journal.cancel({ jobId, outcome, status });
    if (status !== null && isTerminal(status)) journal.sawEnd(jobId, status);
  }
}
