import type { JobEvent, RecordedInput, RecordedProgress } from '@heddle/jobs-domain';
import { plainText } from '../terminal/plain-text.js';
import { byteText, counted, durationText } from '../terminal/quantities.js';
import { wrapText } from '../terminal/text-width.js';

/** An event of the log as this command shows it; `event` is null if this version does not know its type. */
interface HistoryEntry {
  readonly version: number;
  readonly type: string;
  readonly recordedAt: string;
  readonly event: JobEvent | null;
}

const OFFSET = 12;

/** A job's lifecycle, an event per line, wrapped on a terminal: when it was recorded, how long after the submission, what happened. */
export function renderHistory(entries: readonly HistoryEntry[], columns: number): string[] {
  const start = Date.parse(entries[0]?.recordedAt ?? '');
  return entries.flatMap(({ recordedAt, type, event }) => {
    const after = `+${durationText(Math.max(0, Date.parse(recordedAt) - start))}`.padStart(OFFSET);
    const text = plainText(event === null ? type : sentence(event));
    const head = `${recordedAt.replace('T', ' ')} ${after}  `;
    return wrapText(head + text, columns, ' '.repeat(head.length));
  });
}

function sentence(event: JobEvent): string {
  switch (event.type) {
    case 'JobSubmitted':
      return `submitted: ${counted(event.data.nodesTotal, 'node')}${inputsText(event.data.inputs)}${labelsText(event.data.metadata)}`;
    case 'JobLeased':
      return `leased to ${event.data.workerId}: attempt ${event.data.attempt}, fence ${event.data.fence}, ${event.data.environment}`;
    case 'LeaseLost':
      return `lease lost: ${event.data.reason}${event.data.detail === null ? '' : ` (${event.data.detail})`}${event.data.attemptSpent ? '' : ', the attempt is not counted'}`;
    case 'NodeFinished':
      return `node ${event.data.nodeId} ${event.data.classType} ${nodeTime(event.data)}`;
    case 'OutputCommitted':
      return `output of node ${event.data.nodeId}: ${event.data.name}, ${event.data.contentType}, ${byteText(event.data.sizeBytes)}`;
    case 'LogCaptured':
      return `log captured: ${byteText(event.data.sizeBytes)}${event.data.truncated ? ', its beginning dropped' : ''}`;
    case 'CancelRequested':
      return 'cancel requested';
    case 'JobSucceeded':
      return `succeeded${progressText(event.data.progress)}`;
    case 'JobFailed':
      return `failed: ${event.data.error.code}${event.data.error.nodeId === null ? '' : ` in node ${event.data.error.nodeId}`}: ${event.data.error.message}`;
    case 'JobCanceled':
      return `canceled: ${event.data.reason}${progressText(event.data.progress)}`;
    case 'JobExpired':
      return 'expired: the job waited longer than the maximum queue wait';
    case 'JobPurged':
      return 'purged: the retention of the job has ended';
  }
}

function nodeTime({ startedAt, endedAt, cached }: { startedAt: string; endedAt: string; cached: boolean }): string {
  return cached ? 'from the cache' : `ran ${durationText(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}`;
}

function inputsText(inputs: readonly RecordedInput[]): string {
  return inputs.length === 0
    ? ''
    : `, ${counted(inputs.length, 'input')} (${inputs.map((input) => input.filePath).join(', ')})`;
}

function labelsText(metadata: Readonly<Record<string, string>>): string {
  const labels = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  return labels.length === 0 ? '' : `, ${labels.join(' ')}`;
}

function progressText(progress: RecordedProgress | null): string {
  return progress === null ? '' : `: ${progress.nodesDone}/${progress.nodesTotal} nodes`;
}
