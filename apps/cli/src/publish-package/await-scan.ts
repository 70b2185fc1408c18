import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRecord } from '../api/wire.js';
import { versionPath } from '../registry/node-name.js';
import { recordIn } from '../registry/registry-answers.js';
import type { Credential, RegistryClient } from '../registry/registry-client.js';
import { statusOf } from '../registry/render-version.js';

const INTERVAL_MS = 500;

/** The version once its scan has decided, or as it is after `waitMs`. */
export async function awaitScan(
  registry: RegistryClient,
  { nodeId, version }: { readonly nodeId: string; readonly version: string },
  { as, waitMs }: { readonly as: Credential; readonly waitMs: number },
): Promise<JsonRecord> {
  const path = `${versionPath(nodeId, version)}?include_status_reason=true`;
  const end = Date.now() + waitMs;
  for (;;) {
    const found = recordIn(await registry.call('GET', path, { as }));
    const left = end - Date.now();
    if (statusOf(found) !== 'pending' || left <= 0) return found;
    await delay(Math.min(INTERVAL_MS, left));
  }
}
