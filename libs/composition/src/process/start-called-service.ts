import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { CallServer } from '@heddle/platform-service-calls';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { callServer, listenForCalls } from '../calls/serve-calls.js';
import type { ServiceProcess } from './service-process.js';

export interface ListeningParts {
  readonly module: DynamicModule;
  readonly bus: MessageBus;
  readonly tracer: Tracer | null;
  /** Adds the calls that it answers. */
  serve(calls: CallServer, app: INestApplicationContext): void;
}

/** A service that hears messages under its own name and answers the calls of others. Resolves when it does both. */
export async function startCalledService(
  service: ServiceProcess,
  { module, bus, tracer, serve }: ListeningParts,
): Promise<INestApplicationContext> {
  const app = await NestFactory.createMicroservice(module, {
    strategy: new MessageBusStrategy(bus, service.name),
    logger: service.nestLog,
  });
  const calls = callServer(service, tracer);
  serve(calls, app);
  service.onStop(() => app.close());
  await app.listen();
  await listenForCalls(service, calls);
  return app;
}
