import { callsAddress, callServer, listenForCalls, openBus, openRoleDatabase } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { LOGS_PORT } from '@heddle/contracts-messages';
import type { LogsPort } from '@heddle/contracts-messages';
import { serveLogs } from '@heddle/internal-api';
import { LOGS_MIGRATIONS, LogsModule } from '@heddle/logs';
import { MessageBusStrategy } from '@heddle/platform-message-bus';
import { NestFactory } from '@nestjs/core';

/** One replica of the logs service. Resolves with the URL that takes its calls. */
export async function startLogs(service: ServiceProcess): Promise<string> {
  const { settings, metrics } = service;
  await service.serveOps();
  const database = await openRoleDatabase(service, LOGS_MIGRATIONS);
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const app = await NestFactory.createMicroservice(LogsModule.register({ database, metrics }), {
    strategy: new MessageBusStrategy(bus, 'logs'),
    logger: service.nestLog,
  });
  const calls = callServer(service, tracer);
  serveLogs(calls, { logs: app.get<LogsPort>(LOGS_PORT) });
  service.onStop(() => app.close());
  await app.listen();
  await listenForCalls(service, calls);
  return callsAddress(settings);
}
