import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { pythonJson, pythonStr } from '../../graph/python-text.js';
import { PYTHON_WORDS, readJson } from '../../graph/read-json.js';
import { resultName } from '../../images/result-name.js';
import { formatText } from '../../text/python-format.js';
import { pythonStrip } from '../../text/python-strip.js';
import type { Inputs } from '../../values/inputs.js';
import { shortText } from '../../values/short-text.js';
import { isDict, type PythonJson, type Value } from '../../values/value.js';

const FORMATS = ['txt', 'csv', 'md', 'json'] as const;
const TYPES = { txt: 'text/plain', csv: 'text/csv', md: 'text/markdown', json: 'application/json' } as const;
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** A class that changes one text; the engine hands the result on as a list of one. */
function changing(change: (text: string, inputs: Inputs) => string): NodeImplementation {
  return { run: (inputs) => [listOf(change(inputs.text('texts'), inputs))] };
}

/** These classes wrap their text, but their slot is not a list: what follows sees a list of one. */
function listOf(text: string): Value {
  return [text];
}

export const textLists: readonly (readonly [string, NodeImplementation])[] = [
  ['TextToLowercase', changing((text) => text.toLowerCase())],
  ['TextToUppercase', changing((text) => text.toUpperCase())],
  ['StripWhitespace', changing((text) => pythonStrip(text))],
  ['AddTextPrefix', changing((text, inputs) => inputs.text('prefix') + text)],
  ['AddTextSuffix', changing((text, inputs) => text + inputs.text('suffix'))],
  ['ReplaceText', changing((text, inputs) => text.replaceAll(inputs.text('find'), () => inputs.text('replace')))],
  ['TruncateText', changing((text, inputs) => Array.from(text).slice(0, inputs.int('max_length')).join(''))],
  ['MergeTextLists', { run: (inputs) => [[inputs.list('texts')]] }],
];

export const stringFormat: NodeImplementation = {
  run: (inputs) => [formatText(inputs.text('f_string'), inputs.named('values', LETTERS))],
};

export const jsonExtractString: NodeImplementation = {
  run(inputs) {
    let data: PythonJson;
    try {
      data = readJson(inputs.text('json_string'), PYTHON_WORDS);
    } catch (error) {
      if (error instanceof SyntaxError) return [''];
      throw error;
    }
    const value = data instanceof Map ? (data as ReadonlyMap<string, PythonJson>).get(inputs.text('key')) : undefined;
    return [value === undefined || value === null ? '' : pythonStr(value)];
  },
};

export const convertToJson = (name: string): NodeImplementation => ({
  run(inputs) {
    const value = inputs.any(name);
    const indent = inputs.int('indent', 2);
    return [pythonJson(jsonOf(value), indent, 0, false)];
  },
});

function jsonOf(value: Value): PythonJson {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Value[]).map(jsonOf);
  if (isDict(value)) return new Map([...value].map(([key, member]) => [key, jsonOf(member)]));
  throw new NodeError('TypeError', `Object of type Tensor is not JSON serializable (${shortText(value)})`);
}

export const saveText: NodeImplementation = {
  async run(inputs, context) {
    const text = inputs.text('text');
    const format = inputs.choice('format', FORMATS, 'txt');
    const place = resultName(inputs.text('filename_prefix', 'ComfyUI'), 1, 1, new Date());
    const number = await context.counter('output', place.subfolder, place.base, 1);
    const name = `${place.base}_${String(number).padStart(5, '0')}.${format}`;
    const parts = [Buffer.from(format === 'json' ? prettyJson(text) : text, 'utf8')];
    context.show('text', text);
    const contentType = `${TYPES[format]}; charset=utf-8`;
    await context.save({ name, subfolder: place.subfolder, folder: 'output', contentType, parts }, 'files');
    return [text];
  },
};

/** JSON in lines; what is no JSON stays as it is. */
function prettyJson(text: string): string {
  try {
    return pythonJson(readJson(text, PYTHON_WORDS), 2, 0, false);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
