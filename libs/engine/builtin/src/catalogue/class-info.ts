import { readFileSync } from 'node:fs';
import { dynamicInputTypes, field, isRecord } from './dynamic-inputs.js';

/** Fields of a class in `/object_info` that the executor uses */
export interface ClassInfo {
  /** Types of declared inputs by name; `null` for a list of choices */
  readonly inputTypes: ReadonlyMap<string, string | null>;
  readonly lazyInputs: ReadonlySet<string>;
  /** Inputs that name a file of the input folder */
  readonly fileInputs: ReadonlySet<string>;
  readonly isInputList: boolean;
  readonly outputIsList: readonly boolean[];
  readonly isOutput: boolean;
}

/** Catalogue file of this library, in the engine's `/object_info` form, generated once from a recorded one. */
const CATALOGUE = new URL('../../catalogue/object-info.json', import.meta.url);
/** Classes that exist only for tests of crashes and cancels */
const TEST_CATALOGUE = new URL('../../catalogue/test-nodes.json', import.meta.url);

/** The `/object_info` document of the built-in engine as JSON text. */
export function objectInfoText(withTestNodes: boolean): string {
  const text = readFileSync(CATALOGUE, 'utf8').trim();
  if (!withTestNodes) return text;
  const tests = readFileSync(TEST_CATALOGUE, 'utf8').trim();
  return `${text.slice(0, -1)},${tests.slice(1)}`;
}

/** Inputs that name a file although the catalogue does not say so */
const FILE_INPUTS: Readonly<Record<string, readonly string[]>> = {
  LoadLatent: ['latent'],
  LoadImageOutput: ['image'],
  RecordAudio: ['audio'],
};
/** Inputs that classes read without declaring them */
const UNDECLARED_INPUTS: Readonly<Record<string, readonly string[]>> = { CustomCombo: ['index'] };
const FILE_MARKS = ['image_upload', 'audio_upload', 'video_upload', 'file_upload'];

/** Every class of the catalogue by name. */
export function readClassInfos(text: string): ReadonlyMap<string, ClassInfo> {
  const document: unknown = JSON.parse(text);
  const entries = isRecord(document) ? Object.entries(document) : [];
  return new Map(entries.map(([name, entry]) => [name, readClassInfo(name, entry)]));
}

function readClassInfo(className: string, entry: unknown): ClassInfo {
  const inputTypes = new Map<string, string | null>();
  const lazyInputs = new Set<string>();
  const fileInputs = new Set<string>(FILE_INPUTS[className]);
  for (const name of UNDECLARED_INPUTS[className] ?? []) inputTypes.set(name, null);
  const input = field(entry, 'input');
  for (const group of ['required', 'optional']) {
    const declared = field(input, group);
    for (const [name, spec] of isRecord(declared) ? Object.entries(declared) : []) {
      const [type, options]: unknown[] = Array.isArray(spec) ? spec : [];
      inputTypes.set(name, typeof type === 'string' ? type : null);
      if (typeof type === 'string') {
        for (const [member, its] of dynamicInputTypes(name, type, options)) inputTypes.set(member, its);
      }
      if (field(options, 'lazy') === true) lazyInputs.add(name);
      if (FILE_MARKS.some((mark) => field(options, mark) === true)) fileInputs.add(name);
    }
  }
  const lists = field(entry, 'output_is_list');
  return {
    inputTypes,
    lazyInputs,
    fileInputs,
    isInputList: field(entry, 'is_input_list') === true,
    outputIsList: Array.isArray(lists) ? lists.map((item) => item === true) : [],
    isOutput: field(entry, 'output_node') === true,
  };
}
