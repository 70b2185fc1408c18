import { createHash, randomUUID } from 'node:crypto';
import type { WfNode } from '@heddle/contracts-registry';
import { newBlobKey } from '@heddle/platform-blob-store';
import type { NodeText, VersionEvent, VersionText } from '@heddle/registry-domain';
import { keepClasses } from './inspect-versions/keep-classes.js';
import { OWNER_ID } from './registry.fixture.js';
import type { TestRegistry } from './registry.fixture.js';

const actor = 'heddle';
const SUPPORTS = {
  supported_accelerators: [],
  supported_engine_frontend_version: '',
  supported_engine_version: '',
  supported_os: [],
  tags: [],
};

export function nodeText(changes: Partial<NodeText> = {}): NodeText {
  const texts = { author: '', category: '', description: '', icon: '', banner_url: '', license: '', repository: '' };
  return { name: '', ...texts, ...SUPPORTS, translations: '{}', ...changes };
}

export function versionText(changes: Partial<VersionText> = {}): VersionText {
  return { changelog: '', dependencies: [], ...SUPPORTS, ...changes };
}

export function wfNode(name: string): WfNode {
  return {
    wf_node_name: name,
    category: 'test',
    description: '',
    function: 'run',
    deprecated: false,
    experimental: false,
    input_types: '{}',
    return_types: '[]',
    return_names: '[]',
    output_is_list: [],
    output_node: false,
    policy: 'WfNodePolicyActive',
    unknown: [],
  };
}

export async function makePublisher({ log }: TestRegistry, id: string): Promise<void> {
  await log.commit(async (unit) => {
    const data = { actor, publisher_id: id, account_id: OWNER_ID };
    await unit.createPublisher([{ type: 'PublisherCreated', data }], { name: id });
    const values = [randomUUID(), id, OWNER_ID];
    await unit.client.query(`insert into registry.member values ($1, $2, $3, 'owner')`, values);
  });
}

export async function makeNode(
  { log }: TestRegistry,
  publisher_id: string,
  node_id: string,
  text: Partial<NodeText> = {},
): Promise<void> {
  await log.commit(async (unit) => {
    const data = { actor, node_id, publisher_id, text: nodeText({ name: node_id, ...text }) };
    if ((await unit.createNode([{ type: 'NodeCreated', data }])) === null) throw new Error(`${node_id} is taken`);
  });
}

export interface TestVersion {
  readonly classes?: readonly string[];
  /** Absent: the version is active. */
  readonly status?: 'pending' | 'active' | 'flagged' | 'banned' | 'deleted';
  readonly deprecated?: boolean;
  readonly bytes?: Buffer;
  readonly reason?: string;
}

/** A version with its bytes, its scan and its classes, as the log would tell of it; pending ones have no bytes. */
export async function makeVersion(
  { log, store }: TestRegistry,
  nodeId: string,
  version: string,
  { classes = [], status = 'active', deprecated = false, bytes = Buffer.from(version), reason = '' }: TestVersion = {},
): Promise<void> {
  const blob = newBlobKey();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const writer = await store.write(blob);
  await writer.write(bytes);
  await writer.finish();
  await log.commit(async (unit) => {
    const { state } = (await unit.node(nodeId))!;
    const { nodeId: node_id } = state;
    const first = { actor, node_id, version, upload: 1, sha256: '', text: versionText() };
    const stored = await unit.changeVersion(null, [{ type: 'VersionPublished', data: first }]);
    if (status === 'pending') return;
    const class_list = await keepClasses(unit.client, stored.streamId, classes.map(wfNode));
    const extracted = { status: 'success', reason: '', class_list, classes: classes.length, external: false } as const;
    const events: VersionEvent[] = [
      { type: 'VersionUploaded', data: { actor, sha256, size_bytes: bytes.length, format: 'zip', blob } },
      { type: 'VersionScanned', data: { actor, findings: [] } },
      { type: 'VersionExtracted', data: { actor, ...extracted } },
    ];
    if (status !== 'active') events.push({ type: 'VersionReviewed', data: { actor, status, reason } });
    if (deprecated)
      events.push({ type: 'VersionDeprecated', data: { actor, deprecated, reason: 'old', changelog: '' } });
    await unit.changeVersion(stored, events);
  });
}
