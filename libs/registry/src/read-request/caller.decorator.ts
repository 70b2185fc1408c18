import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';

/** Who calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): RegistryCaller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
