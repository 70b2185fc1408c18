import { describe, expect, it } from 'vitest';
import type { DeploymentId } from './ids.js';
import { SELF_HOSTED_PRINCIPAL } from './principal.js';
import { MANAGED_DEPLOYMENT_ID, surfaceOf } from './surface.js';

describe('the surface of a deployment', () => {
  it('is self-hosted and managed for the two that exist everywhere, dedicated for every other', () => {
    expect(surfaceOf(SELF_HOSTED_PRINCIPAL.deploymentId)).toBe('self-hosted');
    expect(surfaceOf(MANAGED_DEPLOYMENT_ID)).toBe('managed');
    expect(surfaceOf('0190c3f5-7a3e-7c45-9d1b-0123456789ab' as DeploymentId)).toBe('dedicated');
  });
});
