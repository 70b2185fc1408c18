import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import { RemoteNodePackages } from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

@Module({})
class RemoteRegistryModule {}

/** The packages of the registry, whose names refusals give. */
export function packagesModule(service: ServiceProcess, tracer: Tracer | null): DynamicModule {
  const packages = new RemoteNodePackages(callerOf(service, 'registry', tracer).channel);
  const providers = [{ provide: NODE_PACKAGES_PORT, useValue: packages }];
  return { module: RemoteRegistryModule, providers, exports: [NODE_PACKAGES_PORT] };
}
