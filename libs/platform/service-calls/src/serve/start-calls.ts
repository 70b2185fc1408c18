import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { LoggerService } from '@nestjs/common';
import { CallFailures } from './call-failures.js';
import type { FailureOptions } from './call-failures.js';
import { CallsStrategy } from './calls-strategy.js';
import type { CallsStrategyOptions } from './calls-strategy.js';
import { BatchAnswers } from './batch-answers.js';

export interface StartCallsOptions extends CallsStrategyOptions {
  readonly logger?: CallsStrategyOptions['logger'] & FailureOptions['logger'];
  readonly isOutage?: FailureOptions['isOutage'];
  /** Logger of Nest itself */
  readonly nestLog?: LoggerService | false;
}

interface StartedCalls {
  /** Serves the calls of an HTTP/2 connection. */
  take(connection: Socket): void;
  close(): Promise<void>;
}

class CallsModule {}

/** Starts a Nest application that serves the calls of contexts, on connections which a port hands over. */
export async function startCalls({ nestLog = false, isOutage, ...options }: StartCallsOptions): Promise<StartedCalls> {
  const { contexts, logger, tracer } = options;
  const strategy = new CallsStrategy(options);
  const failures = { logger, isOutage };
  const module = {
    module: CallsModule,
    controllers: contexts.map(({ controller }) => controller),
    providers: [
      ...contexts.flatMap(({ providers }) => providers),
      { provide: BatchAnswers, useValue: new BatchAnswers({ ...failures, tracer }) },
    ],
  };
  const app = await NestFactory.createMicroservice(module, { strategy, logger: nestLog });
  app.useGlobalFilters(new CallFailures(failures));
  await app.listen();
  return { take: (connection) => strategy.take(connection), close: () => app.close() };
}
