import { readFile } from 'node:fs/promises';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import {
  DEFAULT_SUBMISSION_LIMITS,
  findValueSpans,
  isJsonObject,
  jsonKind,
  ownValue,
  readFailure,
  readJson,
  replaceSpans,
  startsWithByteOrderMark,
} from '@heddle/workflow-graph';
import type { JsonObject, SpanReplacement } from '@heddle/workflow-graph';
import { codedFailure, EXIT, failed, wrongUsage } from '../failure.js';
import type { CliFailure } from '../failure.js';
import { unreadableText } from '../file-error.js';

/** Above the limits of services that raise them, low enough to refuse a wrong file before it fills the memory. */
const LIMITS = { maxDepth: 512, maxKeys: 5_000_000, maxLists: 5_000_000, maxNumberLength: 10_000 };
const MAX_BYTES = 64 * 1024 * 1024;

/** A new value of one input, as JSON. */
export interface InputValue {
  readonly nodeId: string;
  readonly input: string;
  readonly json: string;
}

/** A graph as its author wrote it: unreplaced parts stay byte for byte, large numbers and key order included. */
interface GraphFile {
  readonly bytes: Uint8Array;
  readonly graph: JsonObject;
}

export async function readGraphFile(path: string): Promise<GraphFile> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(unreadableText(path, error));
  });
  if (bytes.length > MAX_BYTES) throw failed(`${path} is larger than any graph`);
  return parseGraph(withoutByteOrderMark(bytes), path);
}

export function parseGraph(bytes: Uint8Array, path: string): GraphFile {
  const binary = notText(bytes);
  if (binary !== null) throw notAGraph(path, binary);
  const read = readJson(bytes, LIMITS);
  // What is beyond these limits is beyond the service's defaults too. `heddle validate` names those, and settings raise them.
  if (!read.ok)
    throw notAGraph(path, refuse('invalid_workflow', readFailure(read, bytes, DEFAULT_SUBMISSION_LIMITS, 'file')));
  if (!isJsonObject(read.value))
    throw notAGraph(
      path,
      refuse('invalid_workflow', { case: 'not_an_object', source: 'file', found: jsonKind(read.value) }),
    );
  return { bytes, graph: read.value };
}

/** The bytes with these inputs set; missing inputs are added to their node. */
export function setInputs(file: GraphFile, values: readonly InputValue[]): Uint8Array {
  const present = values.filter((value) => hasInput(file.graph, value));
  const absent = values.filter((value) => !hasInput(file.graph, value));
  const spans = findValueSpans(
    file.bytes,
    present.map(({ nodeId, input }) => [nodeId, 'inputs', input]),
  );
  const replaced = present.flatMap(({ json }, at): SpanReplacement[] => {
    const span = spans[at];
    return span ? [{ ...span, text: json }] : [];
  });
  return replaceSpans(file.bytes, [...replaced, ...additions(file, absent)]);
}

/** New members are inserted before the others, once per node. */
function additions(file: GraphFile, values: readonly InputValue[]): SpanReplacement[] {
  const nodeIds = [...new Set(values.map(({ nodeId }) => nodeId))];
  const spans = findValueSpans(
    file.bytes,
    nodeIds.map((nodeId) => [nodeId, 'inputs']),
  );
  return nodeIds.flatMap((nodeId, at): SpanReplacement[] => {
    const span = spans[at];
    const inputs = inputsOf(file.graph, nodeId);
    if (!span || inputs === null) throw wrongUsage(`node ${nodeId} has no "inputs" object to set a value in`);
    const members = values.filter((value) => value.nodeId === nodeId);
    const isEmpty = Object.keys(inputs).length === 0;
    const text =
      members.map(({ input, json }) => `${JSON.stringify(input)}: ${json}`).join(', ') + (isEmpty ? '' : ', ');
    return [{ start: span.start + 1, end: span.start + 1, text }];
  });
}

function hasInput(graph: JsonObject, { nodeId, input }: InputValue): boolean {
  const inputs = inputsOf(graph, nodeId);
  return inputs !== null && ownValue(inputs, input) !== undefined;
}

function inputsOf(graph: JsonObject, nodeId: string): JsonObject | null {
  const node = ownValue(graph, nodeId);
  const inputs = isJsonObject(node) ? ownValue(node, 'inputs') : undefined;
  return isJsonObject(inputs) ? inputs : null;
}

/** Parses `12.image` into node and input; the node must exist in the graph. */
export function inputTarget(graph: JsonObject, target: string): { readonly nodeId: string; readonly input: string } {
  const dot = target.indexOf('.');
  if (dot <= 0 || dot === target.length - 1)
    throw wrongUsage(`"${target}" is not NODE.INPUT`, 'for example --input 12.image=photo.png');
  const nodeId = target.slice(0, dot);
  if (ownValue(graph, nodeId) === undefined) {
    const ids = Object.keys(graph).slice(0, 20).join(', ');
    throw wrongUsage(`the graph has no node "${nodeId}"`, `its nodes are ${ids}`);
  }
  return { nodeId, input: target.slice(dot + 1) };
}

/** Has the texts of POST /jobs and the exit code of `heddle validate`: the graph is at fault, not the command line. */
function notAGraph(path: string, { code, message }: Rejection): CliFailure {
  return codedFailure(code, `${path} is not a graph: ${message}`, EXIT.failed, null);
}

/** Editors write the mark before UTF-8. A parser of JSON may ignore it, and the service gets the graph without it. */
export function withoutByteOrderMark(bytes: Buffer): Uint8Array {
  return startsWithByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
}

/** What people take for a graph, by its first bytes. */
const KINDS: readonly (readonly [string, string])[] = [
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['\x89PNG', 'a PNG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a WebP picture or another RIFF file'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['%PDF', 'a PDF document'],
];

/** Null for a file that may be text: where its JSON is broken says more than what it is. */
export function notText(bytes: Uint8Array): Rejection | null {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  const found = KINDS.find(([start]) => head.startsWith(start))?.[1];
  return found === undefined ? null : refuse('invalid_workflow', { case: 'not_text', found });
}
