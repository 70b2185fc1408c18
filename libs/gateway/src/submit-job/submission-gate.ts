import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, refuse, surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { DeploymentDirectory, PinnedCatalogue, Principal, Rejection } from '@heddle/contracts-messages';
import { GatewaySettings } from '../settings.js';
import { deploymentRefusal } from './deployment-refusal.js';
import { RefusedDemand } from './refused-demand.js';

/** What a submission is validated against. */
interface CurrentEnvironment {
  /** 0 outside of dedicated deployments. */
  readonly revision: number;
  /** Null: that of the engine of the service. */
  readonly catalogue: PinnedCatalogue | null;
}

const UNPINNED: CurrentEnvironment = { revision: 0, catalogue: null };

/** Whether the deployment of a valid submission takes it now: answered from memory. */
@Injectable()
export class SubmissionGate {
  constructor(
    private readonly settings: GatewaySettings,
    private readonly demand: RefusedDemand,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) private readonly directory: DeploymentDirectory | null,
  ) {}

  refusal({ deploymentId }: Principal): Rejection | null {
    if (!SURFACES[surfaceOf(deploymentId)].deploymentStates) return null;
    const entry = this.directory?.byId(deploymentId) ?? null;
    // Deleted since the request was admitted by its host.
    if (entry === null) return refuse('not_found', { case: 'resource' });
    const nowMs = Date.now();
    const refusal = deploymentRefusal(entry, nowMs, this.settings);
    if (refusal !== null) this.demand.note(entry, nowMs);
    return refusal;
  }

  environment({ deploymentId }: Principal): CurrentEnvironment {
    return this.directory?.byId(deploymentId) ?? UNPINNED;
  }
}
