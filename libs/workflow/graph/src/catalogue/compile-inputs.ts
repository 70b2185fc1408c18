import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { quotedInteger } from '../json/read-json.js';
import { equalityKey } from '../check-workflow/python-coercion.js';
import type { DynamicInput, FileRule, InputKind, InputSpec } from './catalogue.js';
import { isExempt, type CustomRule } from './custom-rules.js';

/** Maximum slots of one growing input: the engine's own limit. */
const MAX_AUTOGROW_NAMES = 100;
/** 2^64: the engine's largest seed as a double. */
const ROUNDED_SEED_MAX = 18_446_744_073_709_551_616;
const UPLOAD_MARKS = ['image_upload', 'audio_upload', 'video_upload', 'file_upload'];
/** Types whose values are paths, or objects of paths, created by the engine's pages. */
const PATH_TYPES: ReadonlySet<string> = new Set(['WEBCAM', 'AUDIO_RECORD', 'LOAD_3D', 'LOAD_3D_ANIMATION']);
/** Classes whose `file` the older engine opens without checking its list. */
const FILE_OPENERS: ReadonlySet<string> = new Set(['GeminiInputFiles', 'OpenAIInputFiles']);
const PLAIN_KINDS: ReadonlySet<string> = new Set(['INT', 'FLOAT', 'STRING', 'BOOLEAN']);
const NO_OPTIONS: JsonObject = {};

/** The class whose inputs are compiled. */
export interface ClassContext {
  readonly className: string;
  readonly older: boolean;
  readonly rule: CustomRule | null;
}

/** The inputs of `{required, optional}`; the engine fills hidden ones. */
export function compileGroups(groups: JsonValue | undefined, context: ClassContext): InputSpec[] {
  if (!isJsonObject(groups)) return [];
  const inputs: InputSpec[] = [];
  for (const group of ['required', 'optional']) {
    const declared = groups[group];
    if (!isJsonObject(declared)) continue;
    for (const name of Object.keys(declared)) {
      const spec = ownValue(declared, name);
      if (Array.isArray(spec) && spec.length > 0) inputs.push(compileInput(name, group === 'required', spec, context));
    }
  }
  return inputs;
}

/** `spec` is not empty. */
export function compileInput(
  name: string,
  required: boolean,
  spec: readonly JsonValue[],
  context: ClassContext,
): InputSpec {
  const declared = spec[0]!;
  const settings = isJsonObject(spec[1]) ? spec[1] : NO_OPTIONS;
  const type = typeText(declared);
  const ownCheck = isExempt(context.rule, name);
  const comboChecked = type === 'COMBO' && !context.older && settings.remote_combo === undefined;
  const listed = Array.isArray(declared) ? declared : comboChecked ? settings.options : undefined;
  const file = fileRule(name, declared, settings, context);
  // A combo without options: the newer engine then refuses every value.
  const options =
    Array.isArray(declared) || comboChecked || file === 'listed' ? (listed ?? settings.options ?? []) : null;
  return {
    name,
    required,
    kind: kindOf(declared),
    type,
    min: bound(settings.min),
    max: bound(settings.max),
    options: Array.isArray(options) ? new Set(options.map(equalityKey)) : null,
    multiselect: settings.multiselect === true,
    file,
    ownCheck,
    inheritedName: name in Object.prototype,
    dynamic: compileDynamic(type, settings, context),
  };
}

function kindOf(declared: JsonValue): InputKind {
  if (Array.isArray(declared)) return 'list';
  return typeof declared === 'string' && PLAIN_KINDS.has(declared) ? (declared as InputKind) : 'other';
}

/** decisions, Input files by name: the catalogue's markers, and the list of LoadLatent. */
function fileRule(name: string, declared: JsonValue, settings: JsonObject, context: ClassContext): FileRule | null {
  const marked = UPLOAD_MARKS.some((mark) => settings[mark] === true) && settings.image_folder !== 'output';
  if (typeof declared === 'string' && PATH_TYPES.has(declared)) return 'path';
  if (FILE_OPENERS.has(context.className) && name === 'file') return 'path';
  if (!marked && !(context.className === 'LoadLatent' && name === 'latent')) return null;
  return Array.isArray(declared) || declared === 'COMBO' ? 'listed' : 'free';
}

function bound(value: JsonValue | undefined): number | bigint | null {
  if (value === ROUNDED_SEED_MAX) return 2n ** 64n - 1n;
  return typeof value === 'number' || typeof value === 'bigint' ? value : quotedInteger(value);
}

export function typeText(type: JsonValue): string {
  return typeof type === 'string'
    ? type
    : JSON.stringify(type, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));
}

function compileDynamic(type: string, settings: JsonObject, context: ClassContext): DynamicInput | null {
  if (type === 'COMFY_AUTOGROW_V3') return compileAutogrow(settings.template, context);
  if (type === 'COMFY_DYNAMICSLOT_V3') return { form: 'slot', inputs: compileGroups(settings.inputs, context) };
  if (type !== 'COMFY_DYNAMICCOMBO_V3' || !Array.isArray(settings.options)) return null;
  const branches = new Map<string, readonly InputSpec[]>();
  for (const option of settings.options) {
    if (!isJsonObject(option) || typeof option.key !== 'string' || branches.has(option.key)) continue;
    branches.set(option.key, compileGroups(option.inputs, context));
  }
  return { form: 'combo', branches };
}

function compileAutogrow(template: JsonValue | undefined, context: ClassContext): DynamicInput | null {
  if (!isJsonObject(template)) return null;
  const [input] = compileGroups(template.input, context);
  if (input === undefined) return null;
  const min = typeof template.min === 'number' ? template.min : 0;
  const { names, prefix, max } = template;
  const listed = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null;
  const count = typeof max === 'number' ? Math.min(max, MAX_AUTOGROW_NAMES) : 0;
  const numbered = typeof prefix === 'string' ? Array.from({ length: count }, (_, i) => `${prefix}${i}`) : [];
  return { form: 'autogrow', names: (listed ?? numbered).slice(0, MAX_AUTOGROW_NAMES), min, template: input };
}
