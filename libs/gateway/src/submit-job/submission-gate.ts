import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { DeploymentDirectory, Principal, Rejection } from '@heddle/contracts-messages';
import { GatewaySettings } from '../settings.js';
import { deploymentRefusal } from './deployment-refusal.js';

/** What the deployment of a valid submission says to it, from memory. */
@Injectable()
export class SubmissionGate {
  constructor(
    private readonly settings: GatewaySettings,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) private readonly directory: DeploymentDirectory | null,
  ) {}

  refusal({ deploymentId }: Principal): Rejection | null {
    if (!SURFACES[surfaceOf(deploymentId)].deploymentStates) return null;
    // The host was known when the request was admitted; a deployment that is gone since then is a stopped one.
    const entry = this.directory?.byId(deploymentId) ?? null;
    return entry === null ? null : deploymentRefusal(entry, Date.now(), this.settings);
  }

  /** The revision that the submission is validated against; 0 outside of dedicated deployments. */
  revision({ deploymentId }: Principal): number {
    return this.directory?.byId(deploymentId)?.revision ?? 0;
  }
}
