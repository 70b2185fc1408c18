import type {
  NodeRanks,
  NodeText,
  RegistryEvent,
  RegistryEventData,
  RegistryEventType,
  ScanFinding,
  VersionText,
} from './registry.events.js';

/** A stored event that this build cannot read: written by a newer build, or damaged. */
export class UndecodableRegistryEvent extends Error {
  override readonly name = 'UndecodableRegistryEvent';
}

type Decoder<T> = (value: unknown, at: string) => T;

function wrong(at: string, wanted: string): never {
  throw new UndecodableRegistryEvent(`${at} is not ${wanted}`);
}

const text: Decoder<string> = (value, at) => (typeof value === 'string' ? value : wrong(at, 'a string'));
const number: Decoder<number> = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong(at, 'a number');
const flag: Decoder<boolean> = (value, at) => (typeof value === 'boolean' ? value : wrong(at, 'true or false'));

function orNull<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null ? null : decode(value, at));
}

function oneOf<T extends string>(...allowed: readonly T[]): Decoder<T> {
  return (value, at) => allowed.find((word) => word === value) ?? wrong(at, `one of ${allowed.join(', ')}`);
}

function listOf<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, at) =>
    Array.isArray(value) ? value.map((item, index) => decode(item, `${at}[${index}]`)) : wrong(at, 'a list');
}

/** Fields are written in the shape's order, so that the encoding is canonical; unknown fields are dropped. */
function record<T extends object>(shape: { readonly [Field in keyof T]: Decoder<T[Field]> }): Decoder<T> {
  const fields = Object.entries(shape) as [string, Decoder<unknown>][];
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(at, 'an object');
    const given = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(fields.map(([field, decode]) => [field, decode(given[field], `${at}.${field}`)])) as T;
  };
}

const by = { actor: text };
const because = record<{ readonly actor: string; readonly reason: string }>({ ...by, reason: text });
const only = record<{ readonly actor: string }>(by);
const supports = {
  supported_accelerators: listOf(text),
  supported_engine_frontend_version: text,
  supported_engine_version: text,
  supported_os: listOf(text),
  tags: listOf(text),
};
const nodeText = record<NodeText>({
  name: text,
  author: text,
  category: text,
  description: text,
  icon: text,
  banner_url: text,
  license: text,
  repository: text,
  ...supports,
  translations: text,
});
const ranks = record<NodeRanks>({ search_ranking: number, preempted: listOf(text), tags_admin: listOf(text) });
const finding = record<ScanFinding>({
  issue_type: text,
  severity: text,
  file_path: text,
  line_number: number,
  code_snippet: text,
  message: text,
});

/** Schema version 1 of each event. */
const decoders: { readonly [Type in RegistryEventType]: Decoder<RegistryEventData[Type]> } = {
  PublisherCreated: record({ ...by, publisher_id: text, account_id: text }),
  PublisherBanned: because,
  PublisherUnbanned: because,
  NodeCreated: record({ ...by, node_id: text, publisher_id: text, text: nodeText }),
  NodeChanged: record({ ...by, text: orNull(nodeText), ranks: orNull(ranks) }),
  NodeDeleted: only,
  NodeBanned: because,
  NodeUnbanned: because,
  NodeReleased: only,
  NodeClaimed: record({ ...by, publisher_id: text }),
  NodeReported: record({ ...by, reason: text, message: text }),
  VersionPublished: record({
    ...by,
    node_id: text,
    version: text,
    upload: number,
    sha256: text,
    text: record<VersionText>({ changelog: text, dependencies: listOf(text), ...supports }),
  }),
  VersionUploaded: record({
    ...by,
    sha256: text,
    size_bytes: number,
    format: oneOf('zip', 'tar.gz'),
    blob: text,
  }),
  VersionScanned: record({ ...by, findings: listOf(finding) }),
  VersionExtracted: record({
    ...by,
    status: oneOf('success', 'failed'),
    reason: text,
    class_list: text,
    classes: number,
    external: flag,
  }),
  VersionReviewed: record({ ...by, reason: text, status: oneOf('active', 'flagged', 'banned', 'deleted') }),
  VersionDeprecated: record({ ...by, deprecated: flag, reason: text, changelog: text }),
  VersionDeleted: because,
  ReviewRequested: record({ ...by, message: text }),
};

export const REGISTRY_EVENT_TYPES = Object.keys(decoders) as readonly RegistryEventType[];
export const REGISTRY_EVENT_SCHEMA_VERSION = 1;

/** The payload as it is stored: only the fields of its shape, in its order. */
export function encodeRegistryEvent({ type, data }: RegistryEvent): string {
  return JSON.stringify(decoders[type](data, type));
}

/** Decodes a stored payload; throws `UndecodableRegistryEvent` if this build cannot. */
export function decodeRegistryEvent(type: string, schemaVersion: number, data: string): RegistryEvent {
  if (!Object.hasOwn(decoders, type)) throw new UndecodableRegistryEvent(`unknown registry event type ${type}`);
  if (schemaVersion !== REGISTRY_EVENT_SCHEMA_VERSION)
    throw new UndecodableRegistryEvent(`${type} has schema version ${schemaVersion}, this build reads 1`);
  const known = type as RegistryEventType;
  return { type: known, data: decoders[known](parsed(type, data), type) } as RegistryEvent;
}

function parsed(type: string, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UndecodableRegistryEvent(`the data of ${type} is not JSON`);
  }
}
