import { parseArgs } from 'node:util';
import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { CliFailure, wrongUsage } from '../failure.js';
import { Arguments, COMMON_OPTIONS } from './command.js';
import type { Command, Option } from './command.js';

interface ReadArguments {
  readonly words: readonly string[];
  readonly options: Arguments;
}

/** Parses the arguments of a command; an unknown option is wrong usage. */
export function readArguments(command: Pick<Command, 'name' | 'options'>, given: readonly string[]): ReadArguments {
  const options = { ...COMMON_OPTIONS, ...command.options };
  const config = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, parserOption(option)]));
  try {
    const { positionals, values, tokens } = parseArgs({
      args: joined(given, options),
      options: config,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    assertOnce(tokens, options);
    const words = positionals.map((word) => word.replace(IS_WORD, ''));
    return { words, options: new Arguments(values as ConstructorParameters<typeof Arguments>[0]) };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const reason = error instanceof Error ? reasonOf(error.message) : String(error);
    throw wrongUsage(`${reason}${meantOption(reason, options)}`, `heddle help ${command.name} lists the options`);
  }
}

/** Stands before a negative number that is a word. No argument can hold it. */
const IS_WORD = '\0';

/**
 * The parser takes a negative number for an option, and its advice does not help: `--timeout -1` becomes `--timeout=-1`, and a
 * number that no option takes is marked as a word.
 */
function joined(given: readonly string[], options: Readonly<Record<string, Option>>): string[] {
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  const args: string[] = [];
  for (const word of given.slice(0, end)) {
    const last = args.at(-1) ?? '';
    const takesValue = last.startsWith('--') && (options[last.slice(2)]?.value ?? null) !== null;
    if (!/^-\d/.test(word)) args.push(word);
    else if (takesValue) args[args.length - 1] = `${last}=${word}`;
    else args.push(IS_WORD + word);
  }
  return [...args, ...given.slice(end)];
}

/** The parser would keep the last of two values without a word. A switch may be repeated: nothing is lost. */
function assertOnce(
  tokens: readonly { readonly kind: string; readonly name?: string }[],
  options: Readonly<Record<string, Option>>,
): void {
  const seen = new Set<string>();
  for (const { kind, name } of tokens) {
    const option = kind === 'option' && name !== undefined ? options[name] : undefined;
    if (name === undefined || option === undefined || option.value === null || option.multiple === true) continue;
    if (seen.has(name))
      throw wrongUsage(
        `--${name} is given twice; ${option.value === 'A,B' ? `several values are one list: --${name} A,B` : 'it takes one value'}`,
      );
    seen.add(name);
  }
}

function parserOption(option: Option): { type: 'string' | 'boolean'; multiple: boolean } {
  return { type: option.value === null ? 'boolean' : 'string', multiple: option.multiple ?? false };
}

/** What people call an option whose name is not near. */
const SYNONYMS: Readonly<Record<string, string>> = { label: 'metadata', labels: 'metadata' };

function meantOption(reason: string, options: Readonly<Record<string, Option>>): string {
  const [, unknown] = /^unknown option '--?([^']+)'/.exec(reason) ?? [];
  const synonym = unknown === undefined ? undefined : SYNONYMS[unknown];
  if (synonym !== undefined && Object.hasOwn(options, synonym)) return `; did you mean --${synonym}?`;
  const meant = unknown === undefined ? null : new NearestName(Object.keys(options)).of(unknown);
  return meant === null ? '' : `; did you mean --${meant}?`;
}

function reasonOf(message: string): string {
  const [, option] = /^Option '(?:-\w, )?(--[^' ]+) <value>' argument missing/.exec(message) ?? [];
  return option === undefined ? firstSentence(message) : `${option} takes a value, and none follows it`;
}

/** The parser's second sentence explains `--`, which does not help here. */
function firstSentence(message: string): string {
  const [sentence = message] = message.split(/\. (?=[A-Z])|\n/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** A whole number option, or null. */
export function wholeNumber(options: Arguments, name: string, range: { min: number; max: number }): number | null {
  const text = options.text(name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= range.min && value <= range.max) return value;
  throw wrongUsage(`--${name} must be a whole number from ${range.min} to ${range.max}, not "${text}"`);
}

/** A limit that is not a number from 0. An empty text is mostly a shell variable without a value. */
export function notANumber(name: string, text: string, hasDefault: boolean): Error {
  const given = text === '' ? 'an empty text' : `"${text}"`;
  return wrongUsage(
    `--${name} must be a number from 0, of at most 12 digits,${hasDefault ? ' or "default",' : ''} not ${given}`,
    `e.g. --${name} 10${hasDefault ? `, or --${name} default for the setting of the service` : ''}`,
  );
}

const MAX_SECONDS = 1_000_000_000;

/** An option in seconds, fractions allowed, as milliseconds. */
export function seconds(options: Arguments, name: string): number | null {
  const text = options.text(name);
  if (text === null) return null;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && value <= MAX_SECONDS) return value * 1000;
  throw wrongUsage(`--${name} must be a number of seconds above 0 and up to ${MAX_SECONDS}, not "${text}"`);
}

/** `key=value` pairs of a repeated option, in order; a repeated key is wrong usage. */
export function pairs(options: Arguments, name: string): readonly (readonly [string, string])[] {
  const seen = new Set<string>();
  return options.all(name).map((text) => {
    const at = text.indexOf('=');
    if (at <= 0)
      throw wrongUsage(`--${name} is ${name === 'metadata' ? 'KEY=VALUE' : 'NODE.INPUT=VALUE'}, not "${text}"`);
    const key = text.slice(0, at);
    if (seen.has(key)) throw wrongUsage(`--${name} ${key} is given twice`);
    seen.add(key);
    return [key, text.slice(at + 1)] as const;
  });
}
