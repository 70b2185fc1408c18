import type { NodeVersionWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import { useRegistry } from './registry-server.js';
import type { RegistryUnderTest } from './registry-server.js';
import { topology } from './server-under-test.js';
import { ownServer } from './server.js';

/** The admin API is found by its data folder; `registry-in-cluster` asks that of a cluster. */
export const hasAdmin = ownServer && topology === 'standalone';

interface Moderated {
  readonly registry: RegistryUnderTest;
  /** With version 1.0.0 of acme */
  readonly node: string;
  /** Its publisher; only while tests run. */
  readonly owner: { readonly acme: RegistryPublisher };
  /** A decision of an operator */
  admin(path: string, body?: object): Promise<unknown>;
  /** The status, and the code of a refusal, of a read without a credential. */
  shown(path: string): Promise<string>;
  /** Version 1.0.0 as POST /bulk/nodes/versions returns it. */
  bulk(): Promise<NodeVersionWire>;
}

/** A registry of its own with a node for an operator to decide on. */
export function useModeratedNode(): Moderated {
  const registry = useRegistry({}, { alone: true });
  const node = newId('banned');
  const owner = {} as { acme: RegistryPublisher };
  beforeAll(async () => {
    owner.acme = await registry.publisher();
    await owner.acme.released(node, '1.0.0', await nodePackage(['Banned']));
  });
  return {
    registry,
    node,
    owner,
    admin: async (path, body = { reason: 'malware' }) =>
      await adminOf(registry.server.process.dataDir)('POST', `registry/${path}`, body),
    shown: async (path) => refusalOf(await registry.anyone.get(path)),
    bulk: async () => {
      const body = { node_versions: [{ node_id: node, version: '1.0.0' }] };
      const answer = expectStatus(await registry.anyone.send('POST', '/bulk/nodes/versions', body), 200);
      return jsonOf<{ node_versions: { node_version: NodeVersionWire }[] }>(answer).node_versions[0]!.node_version;
    },
  };
}
