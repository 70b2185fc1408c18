import {
  isJsonObject,
  loadCatalogue,
  ownValue,
  readWorkflow,
  validateWorkflow,
  withUnknownFiles,
  type Catalogue,
  type JsonObject,
  type NodeErrors,
  type NodeProblem,
} from '@heddle/workflow-graph';
import type { Generation } from '../generation.js';
import type { Answerable } from '../http/json-text.js';
import type { CheckedPrompt, PromptCheck, PromptError, PromptVerdict } from '../prompts/prompt-check.js';
import { ClassDescriptions } from './class-descriptions.js';
import { dependentOutputs, linkedFrom, type ConsumingLink } from './dependent-outputs.js';
import { errorForm, type NodeErrorForm } from './error-forms.js';
import { reportedProblems } from './reported-problems.js';
import { firstUnknownClass } from './unknown-class.js';

interface CatalogueCheckOptions {
  readonly generation: Generation;
  /** The `/object_info` document, JSON text. */
  readonly objectInfo: string;
  /** True if the input folder has a file of that name. */
  readonly isInputFile: (name: string) => boolean;
}

/**
 * Validates prompts like the engine, with its texts: classes first, then each output separately. A bad output is left
 * out and reported; the prompt is refused only if none is good (engine.md 3).
 */
export function catalogueCheck({ generation, objectInfo, isInputFile }: CatalogueCheckOptions): PromptCheck {
  const bytes = Buffer.from(objectInfo, 'utf8');
  const catalogue = loadCatalogue(bytes);
  const descriptions = new ClassDescriptions(objectInfo);
  return ({ text, targets }: CheckedPrompt): PromptVerdict => {
    const read = readWorkflow(text);
    if (!read.ok) return { kind: 'raised' };
    const { workflow } = read;
    const unknown = firstUnknownClass(workflow, text, catalogue, generation);
    if (unknown === 'raised') return { kind: 'raised' };
    if (unknown !== null) return { kind: 'refused', error: unknown, nodeErrors: {} };
    const report = validateWorkflow(workflow, catalogue, read);
    const wanted = report.outputNodes.filter((id) => targets === null || targets.includes(id));
    const hasOutput = wanted.length > 0 || (report.outputNodes.length === 0 && hasOutputClass(workflow, catalogue));
    if (!hasOutput) return { kind: 'refused', error: NO_OUTPUTS, nodeErrors: {} };
    if (report.graphProblem !== null) return tooLarge(report.graphProblem.case.replaceAll('_', ' '));
    const errors = withUnknownFiles(report, isInputFile);
    if (Object.keys(errors).length === 0) return { kind: 'accepted', outputs: wanted, nodeErrors: {} };
    if (generation === '0.33.0' && holdsNonObjectInputs(workflow, errors)) return { kind: 'raised' };
    return judgeOutputs({ workflow, catalogue, descriptions, generation }, wanted, errors);
  };
}

const NO_OUTPUTS: PromptError = {
  type: 'prompt_no_outputs',
  message: 'Prompt has no outputs',
  details: '',
  extra_info: {},
};

interface JudgedGraph {
  readonly workflow: JsonObject;
  readonly catalogue: Catalogue;
  readonly descriptions: ClassDescriptions;
  readonly generation: Generation;
}

function judgeOutputs(graph: JudgedGraph, wanted: readonly string[], errors: NodeErrors): PromptVerdict {
  const links = linkedFrom(graph.workflow, graph.catalogue);
  const bad = new Set<string>();
  const nodeErrors: Record<string, Answerable> = Object.create(null) as Record<string, Answerable>;
  const ownLines: string[] = [];
  for (const [id, problems] of Object.entries(errors)) {
    const dependents = dependentOutputs(id, wanted, links);
    if (dependents.length === 0) continue;
    for (const output of dependents) bad.add(output);
    const reported = reportedProblems(problems, graph.generation);
    if (reported.length === 0) continue;
    const isOutput = wanted.includes(id);
    const forms = formsOf(id, reported, graph, isOutput ? null : (links.get(id)?.[0] ?? null));
    if (isOutput) ownLines.push(...forms.map(({ message, details }) => `${message}: ${details}`));
    const class_type = graph.descriptions.classOf(graph.workflow, id);
    nodeErrors[id] = { errors: forms as unknown as Answerable, dependent_outputs: dependents, class_type };
  }
  const outputs = wanted.filter((id) => !bad.has(id));
  if (outputs.length > 0) return { kind: 'accepted', outputs, nodeErrors };
  const error = {
    type: 'prompt_outputs_failed_validation',
    message: 'Prompt outputs failed validation',
    details: ownLines.join('\n'),
    extra_info: {},
  };
  return { kind: 'refused', error, nodeErrors };
}

function formsOf(
  id: string,
  problems: readonly NodeProblem[],
  { workflow, catalogue, descriptions }: JudgedGraph,
  consumer: ConsumingLink | null,
): NodeErrorForm[] {
  const node = ownValue(workflow, id);
  const inputs = isJsonObject(node) && isJsonObject(node['inputs']) ? node['inputs'] : {};
  return problems.map(({ field, reason }) => {
    const value = ownValue(inputs, field);
    return errorForm(reason, {
      field,
      value,
      declared: descriptions.declared(descriptions.classOf(workflow, id), field),
      consumer: consumer?.input ?? null,
      receivedType: outputTypeOf(value, workflow, catalogue, descriptions),
    });
  });
}

function outputTypeOf(
  link: unknown,
  workflow: JsonObject,
  catalogue: Catalogue,
  descriptions: ClassDescriptions,
): string | null {
  if (!Array.isArray(link) || typeof link[0] !== 'string' || typeof link[1] !== 'number') return null;
  return catalogue.classes.get(descriptions.classOf(workflow, link[0]) ?? '')?.outputs[link[1]] ?? null;
}

/** For a graph that is too large the report names no outputs; the engine would have found them. */
function hasOutputClass(workflow: JsonObject, catalogue: Catalogue): boolean {
  return Object.values(workflow).some(
    (node) =>
      isJsonObject(node) &&
      typeof node['class_type'] === 'string' &&
      catalogue.classes.get(node['class_type'])?.isOutput === true,
  );
}

/** The newer engine fails on inputs that are present but not an object. */
function holdsNonObjectInputs(workflow: JsonObject, errors: NodeErrors): boolean {
  return Object.keys(errors).some((id) => {
    const node = ownValue(workflow, id);
    return isJsonObject(node) && node['inputs'] !== undefined && !isJsonObject(node['inputs']);
  });
}

/** Limits that the engine does not have. */
function tooLarge(message: string): PromptVerdict {
  return { kind: 'refused', error: { type: 'invalid_prompt', message, details: '', extra_info: {} }, nodeErrors: {} };
}
