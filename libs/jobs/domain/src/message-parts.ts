import type {
  JobEvent,
  JobLeased,
  JobSubmitted,
  LeaseLost,
  NodeFinished,
  RecordedError,
  RecordedOutput,
  RecordedProgress,
} from './job.events.js';

/** What a message to other services has of an event, beside the envelope. A part that the event lacks is missing. */
interface MessageParts {
  readonly submission?: Pick<JobSubmitted['data'], 'nodesTotal' | 'metadata' | 'surface'>;
  readonly inputAssetIds?: readonly string[];
  readonly lease?: Pick<JobLeased['data'], 'attempt' | 'workerId' | 'environment'>;
  readonly lost?: Pick<LeaseLost['data'], 'reason' | 'attemptSpent'>;
  readonly node?: NodeFinished['data'];
  readonly output?: RecordedOutput;
  readonly error?: RecordedError;
  readonly progress?: RecordedProgress;
}

/** Stored shapes never leave the jobs service: each field is named here, and a new one of an event stays inside. */
export function messageParts(event: JobEvent): MessageParts {
  switch (event.type) {
    case 'JobSubmitted': {
      const { nodesTotal, metadata, surface, inputs } = event.data;
      return { submission: { nodesTotal, metadata, surface }, inputAssetIds: inputs.map(({ assetId }) => assetId) };
    }
    case 'JobLeased': {
      const { attempt, workerId, environment } = event.data;
      return { lease: { attempt, workerId, environment } };
    }
    case 'LeaseLost': {
      const { reason, attemptSpent, progress } = event.data;
      return { lost: { reason, attemptSpent }, ...withProgress(progress) };
    }
    case 'NodeFinished': {
      const { nodeId, classType, startedAt, endedAt, cached } = event.data;
      return { node: { nodeId, classType, startedAt, endedAt, cached } };
    }
    case 'OutputCommitted':
      return { output: event.data };
    case 'JobFailed':
      return { error: event.data.error, ...withProgress(event.data.progress) };
    case 'JobSucceeded':
    case 'JobCanceled':
    case 'JobExpired':
      return withProgress(event.data.progress);
    case 'LogCaptured':
    case 'CancelRequested':
    case 'JobPurged':
      return {};
  }
}

function withProgress(progress: RecordedProgress | null): Pick<MessageParts, 'progress'> {
  return progress === null ? {} : { progress };
}
