import { invalidFields } from '@heddle/contracts-messages';
import type { LedgerPart } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { listPartOf } from '../read-request/list-part.decorator.js';

const ENTRY_ID = /^[1-9]\d{0,14}$/;

/** The part of a ledger that is asked for, by the id of the entry before it; or its refusal. */
export const AskedLedgerPart = createParamDecorator((_: unknown, context: ExecutionContext): LedgerPart => {
  const { after, limit } = listPartOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (after === null) return { after, limit };
  if (!ENTRY_ID.test(after)) throw new RejectionError(invalidFields({ after: 'must be the id of an entry' }));
  return { after: Number(after), limit };
});
