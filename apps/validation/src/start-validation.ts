import { callsAddress, describeEngine, followCatalogue, openEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { serveCalls } from '@heddle/composition/serve-calls';
import { SURFACES, VALIDATION_PORT } from '@heddle/contracts-messages';
import type { ValidationPort } from '@heddle/contracts-messages';
import { servedValidation } from '@heddle/internal-api/serve';
import { CatalogueHolder, ValidationModule } from '@heddle/validation';
import { validationLimits } from '@heddle/validation/settings';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** One replica of the validation service. Resolves with its URL for calls. */
export async function startValidation(service: ServiceProcess): Promise<string> {
  const { settings } = service;
  await service.serveOps();
  const tracer = await service.openTracer();
  const keyed = SURFACES[settings.surface].credential === 'keys' ? await import('./keyed-surface.js') : null;
  const module = ValidationModule.register({
    limits: validationLimits(settings),
    ownEngine: settings.engine,
    describe: (engine) => describeEngine(service, engine),
    log: (line) => service.logger.warn({}, line),
    imports: [...(keyed?.keyedModules(service, tracer) ?? []), ...(await registryModules(service, tracer))],
  });
  const app = await NestFactory.createApplicationContext(module, { logger: service.nestLog });
  service.onStop('catalogue', () => app.close());
  await followCatalogue(service, await openEngine(service, { runs: false }), app.get(CatalogueHolder));
  const contexts = servedValidation(app.get<ValidationPort>(VALIDATION_PORT));
  await serveCalls(service, { tracer, contexts });
  return callsAddress(settings);
}

/** Without the registry's address, refusals name no packages. */
async function registryModules(service: ServiceProcess, tracer: Tracer | null): Promise<readonly DynamicModule[]> {
  if (service.settings.registryUrls.length === 0) return [];
  const { packagesModule } = await import('./registry-packages.js');
  return [packagesModule(service, tracer)];
}
