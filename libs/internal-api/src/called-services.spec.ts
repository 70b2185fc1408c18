import type { CallRule } from '@heddle/platform-service-calls/serve';
import { describe, expect, it } from 'vitest';
import { CALLED_SERVICES } from './internal-calls.js';
import {
  assetBytes,
  ASSETS_CALLS,
  CATALOGUES_CALLS,
  CREDITS_CALLS,
  DEPLOYMENTS_CALLS,
  JOB_LIMITS_CALLS,
  JOB_LOG_CALLS,
  JOBS_CALLS,
  LEASE_AUTHORITY_CALLS,
  LOGS_CALLS,
  MODERATION_CALLS,
  NODE_PACKAGES_CALLS,
  PEERS_CALLS,
  REGISTRY_ADMIN_CALLS,
  STORAGE_CALLS,
  TASK_CREDITS_CALLS,
  VALIDATION_CALLS,
  workerAssetBytes,
} from './served-contexts.js';

/** Which services may make a call of a context. */
function callersOf({ rules }: { readonly rules: Readonly<Record<string, CallRule>> }): readonly string[] {
  return [...new Set(Object.values(rules).flatMap(({ openTo }) => openTo))];
}

describe('the services that a service calls', () => {
  const none = {} as never;
  it.each([
    ['assets', [...assetBytes(none), ...workerAssetBytes(none)].flatMap(({ openTo }) => openTo)],
    ['assets', callersOf(ASSETS_CALLS)],
    ['assets', callersOf(MODERATION_CALLS)],
    ['jobs', callersOf(JOBS_CALLS)],
    ['assets', callersOf(STORAGE_CALLS)],
    ['jobs', callersOf(CREDITS_CALLS)],
    ['jobs', callersOf(TASK_CREDITS_CALLS)],
    ['jobs', callersOf(DEPLOYMENTS_CALLS)],
    ['jobs', callersOf(JOB_LIMITS_CALLS)],
    ['jobs', callersOf(CATALOGUES_CALLS)],
    ['jobs', callersOf(JOB_LOG_CALLS)],
    ['jobs', callersOf(PEERS_CALLS)],
    ['jobs', callersOf(LEASE_AUTHORITY_CALLS)],
    ['logs', callersOf(LOGS_CALLS)],
    ['registry', callersOf(NODE_PACKAGES_CALLS)],
    ['registry', callersOf(REGISTRY_ADMIN_CALLS)],
    ['validation', callersOf(VALIDATION_CALLS)],
  ] as const)('include %s for every caller of its routes: each is issued a token for it', (called, callers) => {
    expect(callers.length).toBeGreaterThan(0);
    for (const caller of callers) expect(CALLED_SERVICES[caller], caller).toContain(called);
  });

  it('include jobs for workers, which speak to it over a stream of their own', () => {
    expect(CALLED_SERVICES['worker']).toContain('jobs');
  });
});
