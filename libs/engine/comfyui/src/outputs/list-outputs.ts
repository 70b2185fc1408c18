import { isRecord, textAt } from '../calls/json-shape.js';
import type { EngineRecord } from '../calls/json-shape.js';

/** An output as described by the engine, before its bytes were requested. */
export interface FoundOutput {
  readonly slot: string;
  /** `<node id>/<slot>/<index>`, stable across attempts. */
  readonly key: string;
  readonly name: string;
  readonly content: FoundContent;
}

type FoundContent =
  /** A file in an engine folder. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Another value, as JSON. */
  | { readonly kind: 'value'; readonly json: string };

/**
 * Everything that one node displayed, in the engine's order: files, strings as texts, other values as JSON files. Flags
 * and empty values do not count (decisions, Outputs of a node).
 */
export function listOutputs(nodeId: string, output: EngineRecord): FoundOutput[] {
  const found: FoundOutput[] = [];
  let texts = 0;
  for (const [slot, value] of Object.entries(output)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    items.forEach((item, index) => {
      const key = `${nodeId}/${slot}/${index}`;
      const stem = safeName(nodeId);
      if (typeof item === 'string') {
        found.push({ slot, key, name: `${stem}_${texts++}.txt`, content: { kind: 'text', text: item } });
      } else if (textAt(item, 'filename') !== null) {
        found.push({ slot, key, ...fileOf(item as EngineRecord) });
      } else if (item !== null && typeof item !== 'boolean') {
        const name = `${stem}_${safeName(slot)}_${index}.json`;
        found.push({ slot, key, name, content: { kind: 'value', json: JSON.stringify(item) } });
      }
    });
  }
  return found;
}

function fileOf(item: EngineRecord): Pick<FoundOutput, 'name' | 'content'> {
  const filename = textAt(item, 'filename') ?? '';
  const query = new URLSearchParams({
    filename,
    subfolder: textAt(item, 'subfolder') ?? '',
    type: textAt(item, 'type') ?? 'output',
  });
  const name = safeName(filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1));
  return { name, content: { kind: 'file', path: `/view?${query.toString()}` } };
}

const MAX_NAME_LENGTH = 200;

/** A name that is valid on every file system: no separators, colons or control characters, never empty. */
function safeName(text: string): string {
  const name = text.replace(/[/\\:\u0000-\u001f\u007f]/g, '_');
  const short = name.length > MAX_NAME_LENGTH ? name.slice(-MAX_NAME_LENGTH).toWellFormed() : name.toWellFormed();
  return short === '' || short === '.' || short === '..' ? 'output' : short;
}

/** The outputs by node, if the history has any in a valid form. */
export function outputsByNode(outputs: unknown): (readonly [string, EngineRecord])[] {
  if (!isRecord(outputs)) return [];
  return Object.entries(outputs).flatMap(([nodeId, output]) => (isRecord(output) ? [[nodeId, output] as const] : []));
}
