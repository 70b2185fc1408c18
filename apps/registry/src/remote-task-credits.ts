import type { ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import { RemoteTaskCredits } from '@heddle/internal-api';

/** The ledger of the jobs service, for the partner proxy. */
export async function remoteTaskCredits(service: ServiceProcess): Promise<TaskCreditsPort> {
  return new RemoteTaskCredits(callerOf(service, 'jobs', await service.openTracer()).channel);
}
