import type { NodeVersionWire, WfNodeWire } from '@heddle/contracts-registry';
import { newId, nodePackage } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll } from 'vitest';
import { useRegistry } from './registry-server.js';
import type { RegistryUnderTest } from './registry-server.js';

/** Search and class look-up follow a change within 5 s (registry decisions, Cache), on a busy machine later. */
export const FOLLOWS_MS = 20_000;

export interface ClassPage {
  readonly wf_nodes: readonly WfNodeWire[];
  readonly total: number;
}

interface Published {
  readonly acme: RegistryPublisher;
  /** The archive of 1.9.0 and 1.10.0 */
  readonly bytes: Buffer;
  /** Version 1.10.0, which is the latest release */
  readonly active: NodeVersionWire;
}

interface PublishedNode {
  readonly registry: RegistryUnderTest;
  /** With versions 1.9.0, 1.10.0, 2.0.0-beta.1, and 3.0.0 without bytes. */
  readonly node: string;
  /** In the name and tag of the node */
  readonly word: string;
  /** Classes of each version; gamma is only in the prerelease. */
  readonly classes: readonly [alpha: string, beta: string, gamma: string];
  readonly repository: string;
  /** Only while tests run. */
  readonly published: Published;
  /** The body of a GET without a credential */
  anyone<Body>(path: string): Promise<Body>;
}

/** As `useRegistry`, with a node that has some versions. */
export function usePublishedNode(): PublishedNode {
  const registry = useRegistry();
  const node = newId('Reads');
  const word = newId('needle').replace('-', '');
  const named = (name: string): string => `${name}${word.slice(6, 18)}`;
  const classes = [named('Alpha'), named('Beta'), named('Gamma')] as const;
  const repository = `https://git.example/reads/${node}`;
  const published = {} as { -readonly [Name in keyof Published]: Published[Name] };

  beforeAll(async () => {
    const acme = await registry.publisher();
    const bytes = await nodePackage(classes.slice(0, 2));
    const text = { name: `Reading ${word}`, tags: [`tag-${word}`], repository, supported_os: ['Linux'] };
    await acme.released(node, '1.9.0', bytes, { node: text });
    const active = await acme.released(node, '1.10.0', bytes, { node_version: { dependencies: ['numpy'] } });
    await acme.released(node, '2.0.0-beta.1', await nodePackage([...classes]));
    await acme.published(node, '3.0.0');
    Object.assign(published, { acme, bytes, active });
  });
  return {
    registry,
    node,
    word,
    classes,
    repository,
    published,
    anyone: async <Body>(path: string) => await registry.anyone.json<Body>(path),
  };
}
