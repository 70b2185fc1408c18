import type { InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { isSafeFileName, plainFileName } from '../check-workflow/file-names.js';
import { isJsonObject, ownValue, type JsonValue } from '../json/json-value.js';
import { NearestName } from './nearest-name.js';

const SHOWN_OPTIONS = 6;
const SHOWN_LENGTH = 60;
/** Of a double, in short: JSON can hold greater numbers, which are read as infinite. */
const GREATEST = '1.8e308';
/** Readers of a message may not be allowed to see such an input's value. */
const CREDENTIAL = /key|token|secret|password/i;

/** A problem in words. `hint` is a question that names the file that may be meant; null without one. */
export interface Explanation {
  readonly sentence: string;
  readonly hint: string | null;
}

/** What an input accepts: a range, a choice, a link of a type. */
export function expected(input: InputSpec): string {
  if (input.file !== null && input.file !== 'path') return 'the name of an asset or input file';
  if (input.options?.size === 0) return 'the name of a file, and the engine has none';
  if (input.options !== null) return `one of ${optionsText(input)}`;
  const { kind, type, min, max } = input;
  if (kind === 'other') return `a link to ${shown(type)}`;
  const word = {
    INT: 'a whole number',
    FLOAT: 'a number',
    STRING: 'a text',
    BOOLEAN: 'true or false',
    list: 'a value',
  };
  const range = min === null || max === null ? '' : ` from ${min} to ${max}`;
  return `${word[kind]}${range}`;
}

/** `The value -1`; free texts and credentials are not shown. */
export function valueText(input: InputSpec | null, held: JsonValue | undefined): string {
  const value = input === null ? undefined : valueOf(input.name, held);
  if (input === null || value === undefined || !mayBeShown(input)) return 'The value';
  if (Array.isArray(value)) return 'A list';
  if (value === Infinity || value === -Infinity) return `A number ${value > 0 ? 'above ' : 'below -'}${GREATEST}`;
  return isJsonObject(value) ? 'An object' : `The value ${typeof value === 'string' ? shown(value) : String(value)}`;
}

/** A value outside the options of its input, or a file that does not exist. */
export function notListed(
  nodeClass: NodeClass | null,
  input: InputSpec | null,
  held: JsonValue | undefined,
): string | Explanation {
  if (input === null) return 'The value is not in the list of the input.';
  const value = valueOf(input.name, held);
  if (input.file !== null && typeof value === 'string') return noSuchFile(nodeClass, input, value);
  if (input.options?.size === 0) return noFileAt(input, value);
  const texts = [...(input.options ?? [])].filter((key) => !key.startsWith('\0'));
  const meant = typeof value === 'string' && mayBeShown(input) ? nearestOf(input.options, texts, value) : null;
  return `${valueText(input, held)} is not in the list.${meant === null ? '' : ` Did you mean ${shown(meant)}?`} The input takes one of ${optionsText(input)}.`;
}

/** Only a list of files can be empty. */
function noFileAt(input: InputSpec, value: JsonValue | undefined): string {
  const named = typeof value === 'string' && mayBeShown(input) ? shown(value) : 'The value';
  return `${named} cannot be chosen: the engine has no file for ${shown(input.name)}. Add the file to the engine. The built-in engine has no models.`;
}

/** The file name is shown: it is the cause of the mistake. */
export function noSuchFile(nodeClass: NodeClass | null, input: InputSpec, value: string): string | Explanation {
  const name = plainFileName(value);
  if (!isSafeFileName(name))
    return `${shown(value)} does not name an input file: the name must be a relative path with "/" and without "..".`;
  const rule = nodeClass?.rule?.form === 'existing_file' ? nodeClass.rule : null;
  const files = rule?.input === input.name ? rule.knownFiles : input.options;
  const nearest = files === null ? null : nearestOf(files, files, name);
  return {
    sentence: `No asset or input file is named ${shortened(name)}.`,
    hint: nearest === null ? null : `Did you mean ${shortened(nearest)}?`,
  };
}

const preparedNames = new WeakMap<object, NearestName>();

/** The nearest name in a part of a catalogue; prepared once, so that a repeated mistake costs one search. */
export function nearestOf(part: object | null, names: Iterable<string>, wanted: string): string | null {
  if (part === null) return null;
  const known = preparedNames.get(part) ?? new NearestName(names);
  preparedNames.set(part, known);
  return known.of(wanted);
}

export function shown(name: string): string {
  return JSON.stringify(shortened(name));
}

function shortened(name: string): string {
  return name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name;
}

export function valueOf(name: string, held: JsonValue | undefined): JsonValue | undefined {
  const given = isJsonObject(held) ? ownValue(held, name) : undefined;
  return isJsonObject(given) ? (ownValue(given, '__value__') ?? given) : given;
}

function mayBeShown({ kind, name, options }: InputSpec): boolean {
  return (options !== null || (kind !== 'STRING' && kind !== 'other')) && !CREDENTIAL.test(name);
}

function optionsText({ options }: InputSpec): string {
  const texts = [...(options ?? [])].map((key) => (key.startsWith('\0') ? key.slice(2) : JSON.stringify(key)));
  const more = texts.length > SHOWN_OPTIONS ? ` and ${texts.length - SHOWN_OPTIONS} more` : '';
  return `${texts
    .slice(0, SHOWN_OPTIONS)
    .map((text) => text.slice(0, SHOWN_LENGTH))
    .join(', ')}${more}`;
}
