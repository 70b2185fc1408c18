import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { isJsonObject, ownValue, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { collectAssetReferences, type AssetReference } from './asset-references.js';
import { checkConstant, type ConstantContext } from './check-constant.js';
import { checkCustomRule, isLink } from './check-custom-rule.js';
import { checkLink, type LinkContext } from './check-links.js';
import { expandInputs } from './expand-inputs.js';
import type { NamedFile } from './file-names.js';
import { cycleGroups, reachFrom, type DependencyRows } from './find-cycles.js';
import { DEFAULT_GRAPH_LIMITS, exceedsBytes, type GraphLimits } from './graph-limits.js';
import { orderedErrors, type NodeErrors } from './node-problems.js';
import { ProblemLog, type ProblemOrigin } from './problem-log.js';
import type { TextHints } from '../parse-submission/text-hints.js';
import { surveyNodes, type NodeSurvey } from './survey-nodes.js';

/** Limits, and hints from reading the text; without hints everything is checked. */
export interface WorkflowHints extends Partial<TextHints> {
  readonly limits?: GraphLimits;
}

/** Problems of the whole graph; the error catalogue has a text for each. */
type GraphProblem =
  | { readonly case: 'no_nodes' | 'no_output' }
  | { readonly case: 'too_many_nodes' | 'too_many_links' | 'too_many_assets'; readonly limit: number };

/** Result for one workflow. `fileNames` must still be looked up: an unknown one adds a problem (`withUnknownFiles`). */
export interface WorkflowReport {
  /** The problem of the whole graph; null if only nodes have problems, or none. */
  readonly graphProblem: GraphProblem | null;
  readonly nodeErrors: NodeErrors;
  readonly outputNodes: readonly string[];
  /** Number of nodes that an output depends on: `progress.nodes_total`. */
  readonly nodesTotal: number;
  /** References in all nodes, in stable order; exceeding the limit is a `graphProblem`. */
  readonly assetReferences: readonly AssetReference[];
  readonly namedFiles: readonly NamedFile[];
}

/**
 * Validates a workflow as the engine would, and reports all problems of all nodes at once (decisions, Validation;
 * engine.md 3). Values of nodes that no output depends on are not checked. Nothing recurses along links.
 */
export function validateWorkflow(
  workflow: JsonObject,
  catalogue: Catalogue,
  hints: WorkflowHints = {},
): WorkflowReport {
  const limits = hints.limits ?? DEFAULT_GRAPH_LIMITS;
  const count = Object.keys(workflow).length;
  if (count === 0) return wholeGraph({ case: 'no_nodes' });
  if (count > limits.maxNodes) return wholeGraph({ case: 'too_many_nodes', limit: limits.maxNodes });

  const log = new ProblemLog();
  const survey = surveyNodes(workflow, catalogue, limits, log);
  const assetReferences = hints.mayHoldAssets === false ? [] : allReferences(survey, limits.maxAssetReferences);
  if (assetReferences.length > limits.maxAssetReferences) {
    return wholeGraph({ case: 'too_many_assets', limit: limits.maxAssetReferences });
  }
  if (hints.longestString === undefined || hints.longestString > limits.maxStringBytes)
    flagLongStrings(survey, limits, log);
  const checker = new NodeChecker(survey, catalogue, log, { ...hints, limits });
  for (let node = 0; node < count; node++) checker.check(node);
  if (checker.links > limits.maxLinks) return wholeGraph({ case: 'too_many_links', limit: limits.maxLinks });
  return checker.report(assetReferences);
}

function wholeGraph(graphProblem: GraphProblem): WorkflowReport {
  const nodeErrors = orderedErrors(new Map());
  return { graphProblem, nodeErrors, outputNodes: [], nodesTotal: 0, assetReferences: [], namedFiles: [] };
}

/** Checks nodes one by one and keeps their links in compressed rows, for the checks of the whole graph. */
class NodeChecker {
  links = 0;
  private readonly declaredStarts: Int32Array;
  private readonly declaredSources: number[] = [];
  private readonly declaredInputs: string[] = [];
  private readonly extraLinks: { readonly node: number; readonly source: number }[] = [];
  private readonly namedFiles: { node: number; file: NamedFile }[] = [];
  private readonly linkContext: LinkContext;
  private readonly fractionalSlots: ReadonlySet<string> | null;

  constructor(
    private readonly survey: NodeSurvey,
    private readonly catalogue: Catalogue,
    private readonly log: ProblemLog,
    private readonly hints: WorkflowHints & { readonly limits: GraphLimits },
  ) {
    this.fractionalSlots = slotNames(hints.fractionalSlots ?? []);
    this.declaredStarts = new Int32Array(survey.ids.length + 1);
    this.linkContext = { numbers: survey.numbers, classes: survey.classes, catalogue, log };
  }

  /** Call it in the order of node numbers. */
  check(node: number): void {
    const { log, survey } = this;
    const nodeClass = survey.classes[node]!;
    const held = survey.inputs[node]!;
    if (nodeClass !== null && held !== null) {
      const inputs = nodeClass.hasDynamicInputs ? expandInputs(nodeClass.inputs, held) : nodeClass.inputs;
      const { rule } = nodeClass;
      const linkTypes = rule === null ? null : new Map<string, string>();
      let context: ConstantContext | null = null;
      let present = 0;
      for (let at = 0; at < inputs.length; at++) {
        const input = inputs[at]!;
        const value = held[input.name];
        if (value === undefined || (input.inheritedName && !Object.hasOwn(held, input.name))) {
          if (input.required) log.add(node, input.name, 'missing_input');
          continue;
        }
        present++;
        if (Array.isArray(value)) this.follow(node, input, value, linkTypes);
        else if (!isPlainlyGood(input, value)) {
          context ??= this.contextOf(node, nodeClass, inputs);
          if (isRounded(value)) this.hints.makeExact?.();
          checkConstant(input, held[input.name]!, context);
        }
      }
      if (linkTypes !== null) {
        checkCustomRule(held, inputs, linkTypes, context ?? this.contextOf(node, nodeClass, inputs));
      }
      this.countOthers(node, held, inputs, present);
    }
    this.declaredStarts[node + 1] = this.declaredSources.length;
  }

  report(assetReferences: readonly AssetReference[]): WorkflowReport {
    const { survey, log } = this;
    const total = survey.ids.length;
    const declared: DependencyRows = { starts: this.declaredStarts, sources: this.declaredSources };
    // What runs only behind a possible output is not checked, unless nothing else can be an output.
    const { possibleOutputs } = survey;
    const outputs = survey.outputs.length > 0 ? survey.outputs : possibleOutputs;
    const validated = reachFrom(outputs, declared, total);
    const runsMore = this.extraLinks.length > 0 || (possibleOutputs.length > 0 && outputs !== possibleOutputs);
    const running = runsMore ? reachFrom([...survey.outputs, ...possibleOutputs], this.allLinks(), total) : validated;
    if (validated.hasCycle) this.flagCycles(cycleGroups(declared, validated.met));
    const stands = (node: number, origin: ProblemOrigin): boolean =>
      origin === 'anywhere' || (origin === 'validated' ? validated : running).met[node] === 1;
    const problems = log.isEmpty ? null : log.counted(stands, this.consumingInputs(validated.met));
    const byId = new Map([...(problems ?? [])].map(([node, found]) => [this.shownId(node), found]));
    const noOutput = outputs.length === 0 && byId.size === 0;
    return {
      graphProblem: noOutput ? { case: 'no_output' } : null,
      nodeErrors: orderedErrors(byId),
      outputNodes: outputs.map((node) => survey.ids[node]!),
      nodesTotal: running.order.length,
      assetReferences,
      namedFiles: this.namedFiles
        .filter(({ node }) => running.met[node] === 1)
        .map(({ node, file }) =>
          validated.met[node] === 1 ? file : { ...file, reasonsIfUnknown: [], alsoFailing: [] },
        ),
    };
  }

  /** A refused, overlong id is shortened in messages. */
  private shownId(node: number): string {
    const id = this.survey.ids[node]!;
    const { maxNodeIdBytes } = this.hints.limits;
    return exceedsBytes(id, maxNodeIdBytes) ? `${id.slice(0, maxNodeIdBytes)}… (${node})` : id;
  }

  private contextOf(node: number, nodeClass: NodeClass, inputs: readonly InputSpec[]): ConstantContext {
    const { survey, catalogue, log, namedFiles } = this;
    const heldInputs = (): string[] => {
      const held = survey.inputs[node]!;
      const declared = new Set(inputs.map(({ name }) => name));
      return Object.keys(held).filter((name) => declared.has(name) || isLink(ownValue(held, name)));
    };
    return { node, nodeId: survey.ids[node]!, nodeClass, older: catalogue.older, log, namedFiles, heldInputs };
  }

  private follow(node: number, input: InputSpec, link: readonly JsonValue[], types: Map<string, string> | null): void {
    this.links++;
    const fractional = this.fractionalSlots?.has(slotName(this.survey.ids[node]!, input.name)) ?? false;
    const target = checkLink(node, input, link, fractional, this.linkContext);
    if (target === null) return;
    this.declaredSources.push(target.source);
    this.declaredInputs.push(input.name);
    if (types !== null && target.type !== null) types.set(input.name, target.type);
  }

  /** Undeclared inputs are tolerated, but links in them make the engine run their sources. */
  private countOthers(node: number, held: JsonObject, inputs: readonly InputSpec[], present: number): void {
    const keys = Object.keys(held);
    if (keys.length > this.hints.limits.maxInputsPerNode) this.log.add(node, 'inputs', 'unsupported_value', 'anywhere');
    if (keys.length === present) return;
    const declared = new Set(inputs.map(({ name }) => name));
    for (const key of keys) {
      const value = declared.has(key) ? null : (Object.getOwnPropertyDescriptor(held, key)!.value as JsonValue);
      if (!Array.isArray(value) || value.length !== 2 || typeof value[1] !== 'number') continue;
      this.links++;
      const source = typeof value[0] === 'string' ? this.survey.numbers.get(value[0]) : undefined;
      if (source !== undefined) this.extraLinks.push({ node, source });
    }
  }

  private allLinks(): DependencyRows {
    const total = this.survey.ids.length;
    const starts = new Int32Array(total + 1);
    const sources: number[] = [];
    let extra = 0;
    for (let node = 0; node < total; node++) {
      for (let at = this.declaredStarts[node]!; at < this.declaredStarts[node + 1]!; at++) {
        sources.push(this.declaredSources[at]!);
      }
      while (extra < this.extraLinks.length && this.extraLinks[extra]!.node === node) {
        sources.push(this.extraLinks[extra++]!.source);
      }
      starts[node + 1] = sources.length;
    }
    return { starts, sources };
  }

  private flagCycles(groups: Int32Array): void {
    for (let node = 0; node < groups.length; node++) {
      if (groups[node] === -1) continue;
      for (let at = this.declaredStarts[node]!; at < this.declaredStarts[node + 1]!; at++) {
        if (groups[this.declaredSources[at]!] !== groups[node]) continue;
        this.log.add(node, this.declaredInputs[at]!, 'dependency_cycle');
        break;
      }
    }
  }

  /**
   * The engine reports an exception of a node under the input that led to it, here the first in node order; for an
   * output node, which nothing led to, without an input.
   */
  private consumingInputs(met: Uint8Array): Map<number, string> {
    const names = new Map<number, string>();
    for (let consumer = 0; consumer < met.length; consumer++) {
      if (met[consumer] === 0) continue;
      for (let at = this.declaredStarts[consumer]!; at < this.declaredStarts[consumer + 1]!; at++) {
        const source = this.declaredSources[at]!;
        const isOutput = this.survey.classes[source]?.isOutput === true;
        if (!isOutput && !names.has(source)) names.set(source, this.declaredInputs[at]!);
      }
    }
    return names;
  }
}

/** Accepts the common constants without the full check. */
function isPlainlyGood(input: InputSpec, value: JsonValue): boolean {
  if (typeof value === 'number') {
    const { kind, min, max } = input;
    if (kind !== 'INT' && kind !== 'FLOAT') return false;
    const number = kind === 'INT' ? Math.trunc(value) : value;
    if (number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER) return isWellInside(number, min, max);
    return (min === null || number >= min) && (max === null || number <= max);
  }
  if (typeof value === 'string')
    return input.kind === 'STRING' && input.file === null && input.min === null && input.max === null;
  return typeof value === 'boolean' && input.kind === 'BOOLEAN';
}

/** True if a rounded number is in range however it was rounded: it differs from both bounds as a double. */
function isWellInside(number: number, min: InputSpec['min'], max: InputSpec['max']): boolean {
  if (!Number.isFinite(number)) return false;
  return (min === null || number > Number(min)) && (max === null || number < Number(max));
}

/** True if a constant contains a number that may stand for an integer beyond double precision. */
function isRounded(value: JsonValue): boolean {
  const number = isJsonObject(value) ? ownValue(value, '__value__') : value;
  return typeof number === 'number' && Number.isFinite(number) && Math.abs(number) > Number.MAX_SAFE_INTEGER;
}

function allReferences(survey: NodeSurvey, limit: number): AssetReference[] {
  const found: AssetReference[] = [];
  for (let node = 0; node < survey.ids.length && found.length <= limit; node++) {
    const held = survey.inputs[node];
    if (held) found.push(...collectAssetReferences(survey.ids[node]!, held, limit + 1));
  }
  return found;
}

function flagLongStrings(survey: NodeSurvey, limits: GraphLimits, log: ProblemLog): void {
  survey.inputs.forEach((held, node) => {
    for (const [name, value] of Object.entries(held ?? {})) {
      if (holdsLongString(value, limits.maxStringBytes)) log.add(node, name, 'unsupported_value', 'anywhere');
    }
  });
}

function holdsLongString(value: JsonValue, limit: number): boolean {
  if (typeof value === 'string') return exceedsBytes(value, limit);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsLongString(item, limit));
}

function slotNames(paths: readonly JsonPath[]): ReadonlySet<string> | null {
  if (paths.length === 0) return null;
  return new Set(
    paths.filter((path) => path[1] === 'inputs').map((path) => slotName(String(path[0]), String(path[2]))),
  );
}

function slotName(nodeId: string, input: string): string {
  return JSON.stringify([nodeId, input]);
}
