import { setTimeout as delay } from 'node:timers/promises';
import { blake3Of, isTerminal, isTerminalFrame, jsonOf, openEventStream } from '@heddle/testing-api';
import type { EventStream, Frame, Job } from '@heddle/testing-api';
import { ask } from './campaign-client.ts';
import type { CampaignClient, Site } from './campaign-client.ts';

const OPEN_WITHIN_MS = 15_000;
const WATCH_MS = 25_000;
/** Long, because a gateway may be frozen between the last frame and the end of the stream. */
const END_WITHIN_MS = 20_000;

/** Polls jobs, and downloads each output at once. */
export async function pollJobs(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  while (!client.isOver()) {
    await client.wait(60 + random.below(240));
    const open = journal.acknowledgedJobs.filter((jobId) => !journal.seenEnds.has(jobId));
    // Sometimes ended jobs too: they must not change.
    const jobId = random.below(4) === 0 ? random.pick(journal.acknowledgedJobs.slice(-60)) : random.pick(open);
    if (jobId !== undefined) await look(client, jobId);
  }
}

export async function look(client: Site & Pick<CampaignClient, 'journal' | 'random'>, jobId: string): Promise<void> {
  const { journal, random } = client;
  const begunAt = performance.now();
  const answer = await ask(client, { method: 'GET', target: `/api/v2/jobs/${jobId}` });
  const endedAt = performance.now();
  if (answer?.status === 404) journal.offences.push(`GET of the acknowledged job ${jobId} -> 404`);
  if (answer?.status !== 200) return;
  const job = jsonOf<Job>(answer);
  const outputs = job.outputs.map(({ id }) => id);
  const { status, completed_at: completedAt } = job;
  journal.note('seen', {
    begunAt,
    endedAt,
    jobId,
    status,
    completedAt,
    outputs,
    progress: JSON.stringify(job.progress),
  });
  if (isTerminal(status)) journal.sawEnd(jobId, status);
  const output = random.pick(job.outputs);
  if (output !== undefined) await download(client, output.id, output.hash ?? '', 'output');
}

/** Downloads bytes that must exist, and records them. */
export async function download(
  client: Site & Pick<CampaignClient, 'journal'>,
  assetId: string,
  hash: string,
  why: 'output' | 'upload' | 'mint',
): Promise<number | null> {
  const answer = await ask(client, { method: 'GET', target: `/api/v2/assets/${assetId}/content` });
  if (answer === null) return null;
  // Without an answer, or with a server error, nothing is known about the bytes.
  if (answer.status === 200 || answer.status === 404) {
    const hashRead = answer.status === 200 ? blake3Of(answer.bytes) : null;
    client.journal.note('downloads', { assetId, hash, status: answer.status, hashRead, why });
  }
  return answer.status;
}

/** Watches the event streams of jobs, from their start or after their end. */
export async function watchJobs(client: CampaignClient): Promise<void> {
  const { journal, random } = client;
  while (!client.isOver()) {
    await client.wait(100 + random.below(500));
    const jobId = random.pick(journal.acknowledgedJobs.slice(random.below(4) === 0 ? -40 : -4));
    if (jobId !== undefined) await watch(client, jobId);
  }
}

async function watch({ origin, token, journal }: CampaignClient, jobId: string): Promise<void> {
  const openedAfterEnd = journal.seenEnds.has(jobId);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const opening = openEventStream(`${origin}/api/v2/jobs/${jobId}/events`, headers).catch(() => null);
  const stream = await Promise.race([opening, delay(OPEN_WITHIN_MS, null)]);
  if (stream === null) return void opening.then((late) => late?.close());
  await stream.until('the end', isTerminalFrame, WATCH_MS).catch(() => undefined);
  const isWhole = stream.frames.some(isTerminalFrame);
  const endedByServer = isWhole ? await endOf(stream) : null;
  stream.close();
  journal.note('streams', { jobId, openedAfterEnd, endedByServer, frames: stream.frames.map(shownBy) });
}

async function endOf(stream: EventStream): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => (timer = setTimeout(() => done(false), END_WITHIN_MS)));
  const ended = await Promise.race([stream.ended.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

function shownBy({ event, data }: Frame): { readonly event: string; readonly value: string } {
  const field = { status: 'status', output: 'id', progress: 'value' }[event];
  return { event, value: String(field === undefined ? '' : data[field]) };
}
