import type { JobView, Principal } from '@heddle/contracts-messages';
import { parseTraceparent } from '@heddle/platform-telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderJob } from '../render-wire/job-wire.js';
import { jobUrl } from '../render-wire/links.js';
import type { RenderContext } from '../render-wire/render-context.js';
import type { SubmitJob } from './receive-submission.handler.js';

const NO_BODY = Buffer.alloc(0);

/** The submission that a request carries. */
export function submissionIn(
  { body, id, headers }: Pick<FastifyRequest, 'body' | 'id' | 'headers'>,
  principal: Principal,
  idempotencyKey: string | null,
): SubmitJob {
  return {
    principal,
    idempotencyKey,
    body: Buffer.isBuffer(body) ? body : NO_BODY,
    requestId: id,
    traceparent: parseTraceparent(firstOf(headers['traceparent'])),
  };
}

/** A created job, with its address in `Location`. */
export function renderCreatedJob(
  reply: FastifyReply,
  context: RenderContext,
): (job: JobView) => ReturnType<typeof renderJob> {
  return (job) => {
    void reply.header('location', jobUrl(context.base, job.id));
    return renderJob(job, context);
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
