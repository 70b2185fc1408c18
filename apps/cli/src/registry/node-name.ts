import { isNodeId, isPublisherId, parseVersion, VERSION_RULE } from '@heddle/registry-domain';
import { wrongUsage } from '../failure.js';

export const SEARCH_STEP = 'heddle registry search TEXT finds nodes';

export interface NodeName {
  readonly nodeId: string;
  /** Normalised; null: none is given. */
  readonly version: string | null;
}

/** The only argument of a command: NODE or NODE@VERSION. */
export function nodeName(words: readonly string[], command: string): NodeName {
  const [word = '', ...rest] = words;
  if (word === '' || rest.length > 0)
    throw wrongUsage(`${command} takes one node, not ${words.length}`, `heddle help ${command} explains it`);
  const at = word.indexOf('@');
  const nodeId = at < 0 ? word : word.slice(0, at);
  if (!isNodeId(nodeId)) throw wrongUsage(`"${nodeId}" is not the id of a node`, SEARCH_STEP);
  if (at < 0) return { nodeId, version: null };
  const given = word.slice(at + 1);
  const version = parseVersion(given);
  if (version === null) throw wrongUsage(`${given} is not a version`, `it ${VERSION_RULE}, e.g. ${nodeId}@1.0.0`);
  return { nodeId, version: version.text };
}

/** The same, and the version is needed. */
export function versionName(words: readonly string[], command: string): { nodeId: string; version: string } {
  const { nodeId, version } = nodeName(words, command);
  if (version === null) throw wrongUsage(`${command} takes NODE@VERSION`, `e.g. heddle ${command} ${nodeId}@1.0.0`);
  return { nodeId, version };
}

/** The same, and a version is too much. */
export function onlyNode(words: readonly string[], command: string): string {
  const { nodeId, version } = nodeName(words, command);
  if (version === null) return nodeId;
  throw wrongUsage(`${command} takes a node, not a version`, `heddle ${command} ${nodeId}`);
}

export function publisherId(text: string | undefined, command: string): string {
  if (text === undefined || text === '')
    throw wrongUsage(`${command} takes a publisher`, `heddle help ${command} explains it`);
  if (isPublisherId(text)) return text;
  throw wrongUsage(
    `"${text}" is not the id of a publisher`,
    'it has 2 to 64 lower-case letters, digits or "-", and the first is a letter',
  );
}

export function nodePath(nodeId: string): string {
  return `/nodes/${encodeURIComponent(nodeId)}`;
}

export function versionPath(nodeId: string, version: string): string {
  return `${nodePath(nodeId)}/versions/${encodeURIComponent(version)}`;
}
