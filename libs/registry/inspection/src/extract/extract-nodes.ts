import type { WfNode } from '@heddle/contracts-registry';
import type { Parser } from 'web-tree-sitter';
import type { PackageFiles } from '../package-files.js';
import { UNKNOWN_FIELDS, type ClassFields } from './class-fields.js';
import { ClassDescriber } from './describe-class.js';
import { explainFailure } from './explain-failure.js';
import { Interpreter } from './interpreter.js';
import { mergeValues } from './merge-values.js';
import { ModuleFiles } from './module-files.js';
import { listedNames } from './node-list.js';
import { MAPPING, mappingsOfAnyFile, runReachable } from './package-modules.js';
import { textOf, type DictValue, type PythonValue } from './value.js';
import { WorkBudget } from './work-budget.js';
import { unfrozenTime } from '../unfrozen-time.js';

/** Node classes of a package, found without running its code. */
export interface Extraction {
  readonly status: 'success' | 'failed';
  /** A sentence: why it failed, or which bound cut it short; otherwise empty. */
  readonly reason: string;
  readonly nodes: readonly WfNode[];
}

/** The same with the classes as one JSON array: the bytes that were counted for the bound. */
export interface WrittenExtraction extends Extraction {
  readonly json: string;
}

/** Longer names are of no class that a person places in a graph. */
const MAX_CLASS_NAME = 255;
/** Bytes of the classes as one JSON array. */
const MAX_JSON_BYTES = 8 << 20;

/** Reads the node classes of a package within `milliseconds`; what was found when a bound is reached is the result. */
export function extractNodes(files: PackageFiles, parser: Parser, milliseconds: number): WrittenExtraction {
  const start = unfrozenTime();
  // The rest is for the descriptions of what was found.
  const budget = new WorkBudget(start + milliseconds * 0.7);
  const interpreter = new Interpreter(new ModuleFiles(files.texts, parser, budget), budget);
  const found = new FoundClasses(interpreter);
  const root = interpreter.files.fileOf('');
  if (root !== undefined) found.within(() => runReachable(root, interpreter));
  const mapping = root === undefined ? undefined : interpreter.moduleSoFar(root)?.names.get(MAPPING);
  if (mapping !== undefined) found.addMapping(mapping);
  const isWhole = mapping?.kind === 'dict' && !mapping.open;
  budget.renew(start + milliseconds);
  found.addSchemas();
  // What a mapping takes from where only a run of the code tells may be in any file.
  if (found.classes.size === 0 || (mapping !== undefined && !isWhole)) found.addAnyFile();
  if (found.classes.size === 0) for (const name of listedNames(files)) found.add(name, UNKNOWN_FIELDS);
  const bounds = [...found.bounds, ...(files.cut === undefined ? [] : [files.cut])];
  const isEmpty =
    isWhole && bounds.length === 0 && root !== undefined && interpreter.files.syntaxOf(root)?.hasError === false;
  const nodes = [...found.classes.values()];
  const json = `[${found.written.join(',')}]`;
  if (nodes.length > 0 || isEmpty) return { status: 'success', reason: bounds.join(' '), nodes, json };
  const reason = bounds[0] ?? explainFailure(interpreter.files, mapping, files.damage);
  return { status: 'failed', reason, nodes, json };
}

class FoundClasses {
  readonly classes = new Map<string, WfNode>();
  /** The classes as JSON, in the same order. */
  readonly written: string[] = [];
  /** The bounds that were reached, as sentences. */
  readonly bounds = new Set<string>();
  private readonly describer: ClassDescriber;
  private bytes = '[]'.length;

  constructor(private readonly interpreter: Interpreter) {
    this.describer = new ClassDescriber(interpreter);
  }

  within(step: () => void): void {
    const bound = this.interpreter.within(step);
    if (bound !== undefined) this.bounds.add(bound);
  }

  addMapping(mapping: PythonValue): void {
    for (const { key, value } of mapping.kind === 'dict' ? mapping.entries.values() : []) {
      const name = textOf(key);
      if (name !== undefined) this.add(name, this.describer.fieldsOf(value));
    }
    if (this.describer.bound !== undefined) this.bounds.add(this.describer.bound);
  }

  addSchemas(): void {
    for (const one of this.interpreter.schemaClasses) {
      const { names, fields } = this.describer.classOf(one);
      for (const name of names) this.add(name, fields);
    }
    if (this.describer.bound !== undefined) this.bounds.add(this.describer.bound);
  }

  addAnyFile(): void {
    let mappings: PythonValue[] = [];
    this.within(() => (mappings = mappingsOfAnyFile(this.interpreter)));
    const merged = new Map<string, { key: PythonValue; value: PythonValue }>();
    const dicts = mappings.filter((value): value is DictValue => value.kind === 'dict');
    for (const [name, { key, value }] of dicts.flatMap(({ entries }) => [...entries])) {
      const earlier = merged.get(name)?.value;
      merged.set(name, { key, value: earlier === undefined ? value : mergeValues(earlier, value, () => undefined) });
    }
    this.addMapping({ kind: 'dict', entries: merged, open: true, varying: true, madeIn: 0 });
    this.addSchemas();
  }

  /** The first class of a name counts. */
  add(name: string, fields: ClassFields): void {
    if (this.classes.has(name)) return;
    if (name === '' || name.length > MAX_CLASS_NAME || name.includes('\0') || !name.isWellFormed()) {
      this.bounds.add(`Names of classes have 1 to ${MAX_CLASS_NAME} characters, and neither NUL nor half a character.`);
      return;
    }
    const node: WfNode = { wf_node_name: name, ...fields, policy: 'WfNodePolicyActive' };
    const json = JSON.stringify(node);
    const bytes = Buffer.byteLength(json) + ','.length;
    if (this.bytes + bytes > MAX_JSON_BYTES) {
      this.bounds.add('The node classes take more than 8 MiB as JSON: those above it are left out.');
      return;
    }
    this.bytes += bytes;
    this.classes.set(name, node);
    this.written.push(json);
  }
}
