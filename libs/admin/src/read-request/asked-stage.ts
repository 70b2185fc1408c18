import { invalidFields } from '@heddle/contracts-messages';
import type { DeploymentName } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { queryOf } from './list-part.decorator.js';
import { mustBe } from './must-be.js';

/** The deployment that the path parameter `label` and the query name. */
export const NamedDeployment = createParamDecorator((_: unknown, context: ExecutionContext): DeploymentName => {
  const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { label: string } }>>();
  return { label: request.params.label, stage: stageIn(queryOf(request).get('stage') ?? 'production') };
});

export function stageIn(stage: unknown): DeploymentName['stage'] {
  if (stage === 'production' || stage === 'staging') return stage;
  throw new RejectionError(invalidFields({ stage: mustBe(['production', 'staging'], stage) }));
}
