import type {
  AssetId,
  JobId,
  JobSubmission,
  Principal,
  SubmissionAnswer,
  SubmissionRefusalReason,
} from '@heddle/contracts-messages';
import { EmptyAnswerError } from '../encode-values/call-answers.js';
import { credentialsMessage, credentialsOf } from '../encode-values/credentials.js';
import { labelMessages, labelsOf } from '../encode-values/labels.js';
import { rejectionMessage, rejectionOf } from '../encode-values/rejections.js';
import { RefusalReason } from '../generated/heddle/jobs/v1/jobs.js';
import type { Submission, SubmissionAnswer as AnswerMessage } from '../generated/heddle/jobs/v1/jobs.js';
import { jobMessage, jobOf } from './job-wire.js';

const REASONS: Readonly<Record<SubmissionRefusalReason, RefusalReason>> = {
  key_claimed: RefusalReason.REFUSAL_REASON_KEY_CLAIMED,
  queue_full: RefusalReason.REFUSAL_REASON_QUEUE_FULL,
  insufficient_credits: RefusalReason.REFUSAL_REASON_INSUFFICIENT_CREDITS,
  revision_closed: RefusalReason.REFUSAL_REASON_REVISION_CLOSED,
  unknown: RefusalReason.REFUSAL_REASON_UNKNOWN,
};

export function submissionMessage(principal: Principal, submission: JobSubmission): Omit<Submission, 'origin'> {
  const { workflow, idempotencyKey, metadata, inputs, credentials, traceparent, ...rest } = submission;
  return {
    ...rest,
    principal,
    idempotencyKey: idempotencyKey ?? undefined,
    workflow: Buffer.from(workflow.buffer, workflow.byteOffset, workflow.length),
    metadata: labelMessages(metadata),
    inputs: inputs.map(({ name, ...input }) => ({ ...input, name: name ?? undefined })),
    credentials: credentialsMessage(credentials),
    traceparent: traceparent ?? undefined,
  };
}

/** `textOf` refuses a label that is not JSON of a text. */
export function submissionOf(message: Submission, textOf: (json: string) => string): JobSubmission {
  const {
    jobId,
    idempotencyKey,
    workflow,
    nodesTotal,
    metadata,
    inputs,
    credentials,
    requestId,
    traceparent,
    revision,
  } = message;
  return {
    jobId: jobId as JobId,
    idempotencyKey: idempotencyKey ?? null,
    workflow,
    nodesTotal,
    metadata: labelsOf(metadata, textOf),
    inputs: inputs.map(({ assetId, name, ...input }) => ({
      ...input,
      assetId: assetId as AssetId,
      name: name ?? null,
    })),
    credentials: credentialsOf(credentials),
    revision,
    requestId,
    traceparent: traceparent ?? null,
  };
}

export function submissionAnswerMessage(answer: SubmissionAnswer): AnswerMessage {
  if (answer.ok) return { result: { $case: 'job', value: jobMessage(answer.value) } };
  const refusal = { rejection: rejectionMessage(answer.rejection), why: REASONS[answer.why] };
  return { result: { $case: 'refusal', value: refusal } };
}

export function submissionAnswerOf({ result }: AnswerMessage): SubmissionAnswer {
  if (result?.$case === 'job') return { ok: true, value: jobOf(result.value) };
  if (result?.$case !== 'refusal' || result.value.rejection === undefined) throw new EmptyAnswerError();
  const { rejection, why } = result.value;
  // A reason that this version does not know leaves open whether the job exists.
  const known =
    (Object.keys(REASONS) as SubmissionRefusalReason[]).find((reason) => REASONS[reason] === why) ?? 'unknown';
  return { ok: false, rejection: rejectionOf(rejection), why: known };
}
