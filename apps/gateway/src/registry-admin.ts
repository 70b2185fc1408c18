import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { RemoteRegistryAdmin } from '@heddle/internal-api';
import type { Tracer } from '@heddle/platform-telemetry';

/** The operator's calls to the registry; null where no admin API is served, or no registry is named. */
export function registryAdminOf(service: ServiceProcess, tracer: Tracer | null): RegistryAdminPort | null {
  const { adminToken, registryUrls } = service.settings;
  if (adminToken === null || registryUrls.length === 0) return null;
  return new RemoteRegistryAdmin(callerOf(service, 'registry', tracer).channel);
}

/** The admin API of the self-hosted surface, which has the registry alone. */
export async function serveRegistryAdmin(service: ServiceProcess, registry: RegistryAdminPort): Promise<void> {
  const { serveAdminApi } = await import('@heddle/composition/admin-api');
  await serveAdminApi(service, service.settings.adminToken!, new Map([[REGISTRY_ADMIN_PORT, registry]]));
}
