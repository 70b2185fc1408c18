import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, refuse, surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { DeploymentDirectory, Principal, Rejection } from '@heddle/contracts-messages';
import { GatewaySettings } from '../settings.js';
import { deploymentRefusal } from './deployment-refusal.js';

/** Whether the deployment of a valid submission takes it now: answered from memory. */
@Injectable()
export class SubmissionGate {
  constructor(
    private readonly settings: GatewaySettings,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) private readonly directory: DeploymentDirectory | null,
  ) {}

  refusal({ deploymentId }: Principal): Rejection | null {
    if (!SURFACES[surfaceOf(deploymentId)].deploymentStates) return null;
    const entry = this.directory?.byId(deploymentId) ?? null;
    // Deleted since the request was admitted by its host.
    return entry === null
      ? refuse('not_found', { case: 'resource' })
      : deploymentRefusal(entry, Date.now(), this.settings);
  }

  /** The revision that the submission is validated against; 0 outside of dedicated deployments. */
  revision({ deploymentId }: Principal): number {
    return this.directory?.byId(deploymentId)?.revision ?? 0;
  }
}
