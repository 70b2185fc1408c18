import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type {
  AssetId,
  JobId,
  JobMessage,
  JobOutput,
  JobProgress,
  JobStatus,
  JobView,
  LiveItem,
} from '@heddle/contracts-messages';
import type { RenderContext } from '../render-wire/render-context.js';

/** Of a viewer on the self-hosted surface. */
export const CONTEXT: RenderContext = {
  base: 'http://h',
  urlExpiry: 'null',
  signedBase: 'http://h',
  outputsEndWithJob: false,
};
export const JOB_ID = '01900000-0000-7000-8000-00000000000a' as JobId;
const AT = '2026-01-01T00:00:00.000Z';

export interface StoryOutline {
  /** Outputs of each attempt; every attempt but the last is lost. */
  readonly attempts: readonly number[];
  readonly end: 'succeeded' | 'failed' | 'canceled';
}

/** A job's lifecycle as committed events, with the jobs service's view after each. */
export interface Story {
  readonly messages: readonly JobMessage[];
  /** `views[v]` shows version v; there is none at 0. */
  readonly views: readonly JobView[];
}

export function storyOf({ attempts, end }: StoryOutline): Story {
  const messages: JobMessage[] = [];
  const views: JobView[] = [];
  const outputs: JobOutput[] = [];
  let fence = 0;
  const record = (type: string, status: JobStatus, more: Partial<JobMessage> = {}): void => {
    const version = messages.length + 1;
    const { accountId, deploymentId } = SELF_HOSTED_PRINCIPAL;
    const head = { jobId: JOB_ID, accountId, deploymentId, version, fence, status };
    messages.push({ ...head, eventId: `event-${version}`, type, recordedAt: AT, ...more });
    if (more.output !== undefined) outputs.push(more.output);
    views[version] = viewOf({ version, fence, status, outputs: [...outputs], progress: more.progress ?? null });
  };
  record('JobSubmitted', 'queued');
  attempts.forEach((count, attempt) => {
    fence += 1;
    record('JobLeased', 'running');
    for (let n = 0; n < count; n += 1)
      record('OutputCommitted', 'running', { output: output(`${attempt}/${n}/0`, outputs.length) });
    if (attempt < attempts.length - 1) record('LeaseLost', 'queued');
  });
  if (end === 'canceled') record('CancelRequested', 'canceling');
  record('JobEnded', end, { progress: progress(end === 'succeeded' ? 1 : 0.9, 'the end') });
  return { messages, views };
}

export function progress(value: number, message: string): JobProgress {
  return {
    value,
    nodesDone: Math.floor(value * 10),
    nodesTotal: 10,
    currentNode: '1',
    currentNodeClass: 'Any',
    step: null,
    steps: null,
    message,
  };
}

export function progressItem(fence: number, sequence: number, value: number): LiveItem {
  return { kind: 'progress', fence, sequence, progress: progress(value, `${fence}.${sequence}`) };
}

export function previewItem(fence: number, sequence: number): LiveItem {
  // Every third one is large: a reader that stalls falls behind.
  const dataBase64 = Buffer.alloc(sequence % 3 === 0 ? 80_000 : 8, `${fence}.${sequence}`).toString('base64');
  return { kind: 'preview', fence, sequence, nodeId: '1', contentType: 'image/png', dataBase64 };
}

export function viewOf(
  given: Pick<JobView, 'version' | 'fence' | 'status'> & Partial<Pick<JobView, 'outputs' | 'progress'>>,
): JobView {
  return {
    id: JOB_ID,
    ...SELF_HOSTED_PRINCIPAL,
    createdAt: AT,
    updatedAt: AT,
    startedAt: null,
    completedAt: null,
    expiresAt: '2026-02-01T00:00:00.000Z',
    queuePosition: given.status === 'queued' ? 1 : null,
    progress: null,
    outputs: [],
    error: null,
    queueMs: null,
    executionMs: null,
    metadata: {},
    ...given,
  };
}

function output(key: string, at: number): JobOutput {
  return {
    nodeId: key.split('/')[0]!,
    key,
    name: `${at}.png`,
    type: 'image',
    contentType: 'image/png',
    sizeBytes: 1,
    assetId: `01900000-0000-7000-8000-0000000000${String(at).padStart(2, '0')}` as AssetId,
    hash: `blake3:${'0'.repeat(64)}`,
  };
}
