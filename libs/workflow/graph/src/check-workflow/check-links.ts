import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { typesMatch } from '../catalogue/match-types.js';
import type { JsonValue } from '../json/json-value.js';
import type { ProblemLog } from './problem-log.js';

/** The graph as links see it. */
export interface LinkContext {
  readonly numbers: ReadonlyMap<string, number>;
  readonly classes: readonly (NodeClass | null)[];
  readonly catalogue: Catalogue;
  readonly log: ProblemLog;
}

/** A link that leads to a node; `type` is the type that arrives, null if the source's slot or class is unknown. */
interface LinkTarget {
  readonly source: number;
  readonly type: string | null;
}

/**
 * A `[node id, slot]` array in a declared input. A slot that is not a non-negative integer is refused although the
 * engine may accept it as a Python index; the type behind such an index is still compared.
 */
export function checkLink(
  node: number,
  input: InputSpec,
  link: readonly JsonValue[],
  fractional: boolean,
  context: LinkContext,
): LinkTarget | null {
  const { log, numbers, classes, catalogue } = context;
  const [id, slot] = link;
  if (link.length !== 2 || typeof id !== 'string') {
    log.add(node, input.name, 'bad_link');
    return null;
  }
  const source = numbers.get(id);
  if (source === undefined) log.add(node, input.name, 'link_source_not_found');
  const index = slotIndex(slot);
  if (index === null || fractional) log.add(node, input.name, 'bad_link');
  if (source === undefined) return null;
  const sourceClass = classes[source] ?? null;
  if (sourceClass === null || index === null || fractional) return { source, type: null };
  const { outputs } = sourceClass;
  if (index < 0 || (index >= outputs.length && !sourceClass.hasOtherOutputs))
    log.add(node, input.name, 'link_slot_out_of_range');
  const type = outputs[index < 0 ? outputs.length + index : index];
  if (type === undefined) return { source, type: null };
  const typed = classes[node]?.rule?.form !== 'link_types';
  if (type !== input.type && typed && !typesMatch(type, input.type, catalogue))
    log.add(node, input.name, 'type_mismatch');
  if (typeof slot === 'boolean') log.add(node, input.name, 'bad_link');
  return { source, type };
}

/** The slot as a Python index; null if Python would refuse it. */
function slotIndex(slot: JsonValue | undefined): number | null {
  if (typeof slot === 'boolean') return Number(slot);
  return typeof slot === 'number' && Number.isInteger(slot) ? slot : null;
}
