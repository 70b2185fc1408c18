import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { ByteRoute, ServedContext } from '@heddle/platform-service-calls/serve';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { serveCalls } from '../calls/serve-calls.js';
import type { ServiceProcess } from './service-process.js';

interface ListeningParts {
  readonly module: DynamicModule;
  readonly bus: MessageBus;
  readonly tracer: Tracer | null;
  /** Its calls over gRPC. */
  contexts(app: INestApplicationContext): readonly ServedContext[];
  /** Its calls that carry bytes. */
  bytes?(app: INestApplicationContext): readonly ByteRoute[];
}

/** A service that receives messages under its own name and answers calls. Resolves when it does both. */
export async function startCalledService(
  service: ServiceProcess,
  { module, bus, tracer, contexts, bytes }: ListeningParts,
): Promise<INestApplicationContext> {
  const app = await NestFactory.createMicroservice(module, {
    strategy: new MessageBusStrategy(bus, service.name),
    logger: service.nestLog,
  });
  service.onStop('messages and use cases', () => app.close());
  await app.listen();
  await serveCalls(service, { tracer, contexts: contexts(app), bytes: bytes?.(app) });
  return app;
}
