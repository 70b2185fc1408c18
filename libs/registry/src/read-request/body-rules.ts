import { ValidateBy, ValidateIf } from 'class-validator';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isJsonObject } from '@heddle/platform-http';
import { isPublicUrl, isText, isTextList, PUBLIC_URL_RULE, textListRule, textRule } from '@heddle/registry-domain';

/** Absent in bodies: `null` and, for texts, `""` (registry decisions, Absent). */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

type Property = (target: object, name: string | symbol) => void;

const always = (): boolean => true;

function rule(
  name: string,
  message: string,
  holds: (value: unknown) => boolean,
  isGiven: (value: unknown) => boolean = (value) => !isAbsent(value),
): Property {
  const check = ValidateBy({ name, validator: { validate: holds, defaultMessage: () => message } });
  const given = ValidateIf((_, value: unknown) => isGiven(value));
  return (target, property) => {
    given(target, property as string);
    check(target, property as string);
  };
}

export function OptionalText(max: number): Property {
  return rule('text', textRule(max), (value) => isText(value, max));
}

export function RequiredText(max: number): Property {
  const holds = (value: unknown): boolean => isText(value, max) && value !== '';
  return rule('requiredText', `must be a string of 1 to ${max} characters`, holds, always);
}

export function OptionalTexts(items: number, max: number): Property {
  return rule('texts', textListRule(items, max), (value) => isTextList(value, items, max));
}

/** Shown in pages. */
export function OptionalUrl(): Property {
  const { url } = REGISTRY_LIMITS;
  const message = `${PUBLIC_URL_RULE}, of at most ${url} characters`;
  return rule('url', message, (value) => isText(value, url) && isPublicUrl(value));
}

export function OptionalFlag(): Property {
  return rule('flag', 'must be true or false', (value) => typeof value === 'boolean');
}

/** An object of texts, numbers and objects of them: `levels` deep at most, and `characters` as JSON. */
export function OptionalObject(levels: number, characters: number): Property {
  const holds = (value: unknown): boolean =>
    isJsonObject(value) && isShallow(value, levels) && isText(JSON.stringify(value), characters);
  return rule('object', `must be an object of at most ${levels} levels and ${characters} characters`, holds);
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.entries(value).every(([key, one]) => isShallow(key, 0) && isShallow(one, levels - 1));
}

export function RequiredObject(): Property {
  return rule('object', 'must be an object', isJsonObject, always);
}

/** A field that must satisfy a rule of its own; `message`: what it must be. */
export function Holds(message: string, holds: (value: string) => boolean, isRequired = false): Property {
  return rule('holds', message, (value) => typeof value === 'string' && holds(value), isRequired ? always : undefined);
}

export function OneOf(words: readonly string[]): Property {
  return rule('oneOf', `must be one of ${words.join(', ')}`, (value) => words.includes(value as string), always);
}

export function OptionalWhole(min: number, max: number): Property {
  const holds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  return rule('whole', `must be a whole number from ${min} to ${max}`, holds, isGiven);
}
