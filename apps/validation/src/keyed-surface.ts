import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { CATALOGUES_PORT } from '@heddle/contracts-messages';
import { RemoteCatalogues } from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

@Module({})
class RemoteCataloguesModule {}

/** What the validation service of the managed and the dedicated surface has: the catalogues of pinned environments. */
export function keyedModules(service: ServiceProcess, tracer: Tracer | null): readonly DynamicModule[] {
  const catalogues = new RemoteCatalogues(callerOf(service, 'jobs', tracer).channel);
  const providers = [{ provide: CATALOGUES_PORT, useValue: catalogues }];
  return [{ module: RemoteCataloguesModule, providers, exports: [CATALOGUES_PORT] }];
}
