import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Principal } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { admissionOf } from '../authenticate/admission.js';

/** On whose behalf the request is made. */
export const CallerPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    admissionOf(context.switchToHttp().getRequest<FastifyRequest>()).principal,
);
