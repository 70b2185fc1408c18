export { endsJob } from './job.events.js';
export type {
  CancelRequested,
  JobCanceled,
  JobEvent,
  JobEventType,
  JobExpired,
  JobFailed,
  JobLeased,
  JobPrice,
  JobPurged,
  JobSubmitted,
  JobSucceeded,
  LeaseLost,
  LogCaptured,
  NodeFinished,
  NodeRun,
  OutputCommitted,
  RecordedError,
  RecordedInput,
  RecordedJobEvent,
  RecordedOutput,
  RecordedProgress,
} from './job.events.js';
export {
  canonicalJobEvent,
  decodeJobEvent,
  encodeJobEvent,
  formatOfJobEvent,
  JOB_EVENT_FORMAT,
  JOB_EVENT_SCHEMA_VERSION,
  JOB_EVENT_TYPES,
  schemaVersionOfJobEvent,
} from './job.codec.js';
export { UndecodableEvent } from '@heddle/event-codec';
export type { EventSchema } from '@heddle/event-codec';
export { eventPage, PUBLISHED_EVENTS } from './published-events.js';
export { ENDED_STATUSES, initial, isEndedStatus } from './job.state.js';
export type { EndedJob, JobState, Lease, VisibleJob, VisibleStatus } from './job.state.js';
export { charge, chargeTerms, creditsOf, FREE, isFree, reservationOf } from './charge.js';
export { evolve, fold } from './evolve.js';
export {
  captureLog,
  commitOutput,
  endOverrun,
  expireWaiting,
  finishNode,
  giveUpOnCancel,
  isEnded,
  isLeased,
  leaseJob,
  loseLease,
  reportOutcome,
  reportStart,
  requestCancel,
  submitJob,
} from './job.js';
export type { JobDecision, JobRejection, Outcome, LeaseReport } from './job.js';
export { advanceProgress } from './progress.js';
export { messageParts } from './message-parts.js';
export { statusAfter } from './status-after.js';
export { millisecondsBetween, projectJob } from './project-job.js';
export type { JobProjection } from './project-job.js';
export { JobStream } from './job-stream.js';
