import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { RequestNote } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { FastifyRequest } from 'fastify';

const callers = new RequestNote<AccountId>();

export function admitAccount(request: FastifyRequest, accountId: AccountId): void {
  callers.set(request, accountId);
}

/** The account of a request that was admitted. */
export const CallingAccount = createParamDecorator((_: unknown, context: ExecutionContext): AccountId => {
  const accountId = callers.of(context.switchToHttp().getRequest<FastifyRequest>());
  if (accountId === undefined) throw registryRefusal('unauthorized', { case: 'credential' });
  return accountId;
});
