import { NodeError } from '../execution/node-error.js';
import { pythonRepr, pythonStr } from '../graph/python-text.js';
import { shortText } from '../values/short-text.js';
import { isDict, isList, type PythonJson, type Value } from '../values/value.js';
import { formatSpec } from './format-spec.js';

/** Longest text that a format may give. */
const MAX_LENGTH = 16 * 1024 * 1024;
const FIELD = /^([A-Za-z_][A-Za-z0-9_]*|\d+)?((?:\[[^\]]*\])*)(?:!([rsa]))?(?::(.*))?$/s;

/** Python's `str.format` with named values: `{a}`, `{a!r}`, `{a:>8.2f}`, `{a[key]}`, `{{` and `}}`. */
export function formatText(template: string, values: ReadonlyMap<string, Value>): string {
  const parts: string[] = [];
  let length = 0;
  const push = (text: string): void => {
    length += text.length;
    if (length > MAX_LENGTH) throw new NodeError('MemoryError', 'the formatted text is too long');
    parts.push(text);
  };
  for (let at = 0; at < template.length;) {
    const mark = template.slice(at).search(/[{}]/);
    if (mark < 0) {
      push(template.slice(at));
      break;
    }
    push(template.slice(at, at + mark));
    at += mark;
    const char = template[at] as string;
    if (template[at + 1] === char) {
      push(char);
      at += 2;
      continue;
    }
    if (char === '}') throw new NodeError('ValueError', "Single '}' encountered in format string");
    const end = closing(template, at);
    push(field(template.slice(at + 1, end), values));
    at = end + 1;
  }
  return parts.join('');
}

function closing(template: string, start: number): number {
  let depth = 0;
  for (let at = start; at < template.length; at += 1) {
    if (template[at] === '{') depth += 1;
    else if (template[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new NodeError(
    'ValueError',
    start === template.length - 1 ? "Single '{' encountered in format string" : "expected '}' before end of string",
  );
}

function field(text: string, values: ReadonlyMap<string, Value>): string {
  const found = FIELD.exec(text);
  if (!found) throw new NodeError('ValueError', `this field of the format is not understood: ${pythonRepr(text)}`);
  const [, name, path = '', conversion, spec = ''] = found;
  if (name === undefined || /^\d/.test(name)) {
    throw new NodeError('IndexError', `Replacement index ${name ?? 0} out of range for positional args tuple`);
  }
  let value = values.get(name);
  if (value === undefined) throw new NodeError('KeyError', pythonRepr(name));
  for (const key of path.match(/(?<=\[)[^\]]*(?=\])/g) ?? []) value = member(value, key);
  const resolved = spec.includes('{') ? formatText(spec, values) : spec;
  if (conversion === 's') return formatSpec(textOf(value), resolved);
  if (conversion !== undefined) return formatSpec(pythonRepr(jsonLike(value)), resolved);
  if (resolved === '') return textOf(value);
  return formatSpec(value !== null && typeof value === 'object' ? unformattable(value) : value, resolved);
}

function member(value: Value, key: string): Value {
  const found = isList(value) ? value[Number(key)] : isDict(value) ? value.get(key) : undefined;
  if (found === undefined) throw new NodeError('KeyError', pythonRepr(key));
  return found;
}

function textOf(value: Value): string {
  return pythonStr(jsonLike(value));
}

function jsonLike(value: Value): PythonJson {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(jsonLike);
  if (isDict(value)) return new Map([...value].map(([key, inner]) => [key, jsonLike(inner)]));
  return shortText(value);
}

function unformattable(value: Value): never {
  throw new NodeError('TypeError', `unsupported format string passed to ${isList(value) ? 'list' : 'dict'}.__format__`);
}
