import type { PipeTransform } from '@nestjs/common';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { parseVersion } from '@heddle/registry-domain';

/** Reads a parameter that was given; `must` says what it has to be. */
export interface Parameter<T> {
  readonly isRepeatable?: true;
  readonly absent: T;
  /** Undefined: the text cannot be meant. */
  read(texts: readonly string[]): T | undefined;
  readonly must: string;
  /** What is wrong where a parameter that must be given is not. */
  readonly missing?: string;
}

/** As it was sent. */
export type GivenQuery = Readonly<Record<string, string | readonly string[] | undefined>>;
type Shape = Readonly<Record<string, Parameter<unknown>>>;
export type QueryOf<S extends Shape> = { readonly [Name in keyof S]: S[Name] extends Parameter<infer T> ? T : never };

/** Pages are counted from 1; no list has more. */
export const MAX_PAGE = 1_000_000_000;

export function whole<T extends number | null>(min: number, max: number, absent: T): Parameter<T | number> {
  const read = ([text]: readonly string[]): number | undefined => {
    const value = /^(?:0|[1-9]\d{0,15})$/.test(text!) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { absent, read, must: `must be a whole number from ${min} to ${max}` };
}

/** A parameter that must be given. */
export function required<T>(parameter: Parameter<T | null>, missing = parameter.must): Parameter<T> {
  return { ...parameter, missing } as Parameter<T>;
}

/** At most so many code points; a blank one is absent. */
export function words(max: number): Parameter<string | null> {
  const read = ([text]: readonly string[]): string | null | undefined =>
    text!.trim() === '' ? null : [...text!].length <= max ? text : undefined;
  return { absent: null, read, must: `must have at most ${max} characters` };
}

/** A version of a node, normalised; a blank one is absent. */
export function version(): Parameter<string | null> {
  const read = ([text]: readonly string[]): string | null | undefined =>
    text!.trim() === '' ? null : parseVersion(text!)?.text;
  return { absent: null, read, must: 'must be a version such as 1.2.3 or 1.2.3-beta.1' };
}

export function yesOrNo(): Parameter<boolean> {
  const read = ([text]: readonly string[]): boolean | undefined =>
    text === 'true' ? true : text === 'false' ? false : undefined;
  return { absent: false, read, must: 'must be true or false' };
}

export function oneOf<T extends string>(allowed: readonly T[], absent: T): Parameter<T> {
  return {
    absent,
    read: ([text]) => allowed.find((word) => word === text),
    must: `must be one of ${allowed.join(', ')}`,
  };
}

/** May be given several times. */
export function allOf<T>(allowed: ReadonlyMap<string, T>): Parameter<readonly T[] | null> {
  const read = (texts: readonly string[]): readonly T[] | undefined =>
    texts.every((text) => allowed.has(text)) ? texts.map((text) => allowed.get(text)!) : undefined;
  return { isRepeatable: true, absent: null, read, must: `must be one of ${[...allowed.keys()].join(', ')}` };
}

/** ISO 8601, with date and time zone. */
export function instant(): Parameter<Date | null> {
  const read = ([text]: readonly string[]): Date | undefined => {
    const isForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text!);
    const value = new Date(isForm ? text! : Number.NaN);
    return Number.isNaN(value.getTime()) ? undefined : value;
  };
  return { absent: null, read, must: 'must be a time such as 2026-01-31T12:00:00Z' };
}

/** The query parameters of a route; one refusal names every bad one. Unknown names are ignored. */
export class QueryPipe<S extends Shape> implements PipeTransform<GivenQuery, QueryOf<S>> {
  constructor(private readonly shape: S) {}

  transform(query: GivenQuery): QueryOf<S> {
    const problems: Record<string, string> = {};
    const values = Object.entries(this.shape).map(([name, { isRepeatable, absent, read, must, missing }]) => {
      const given = query[name];
      if (given === undefined) {
        if (missing !== undefined) problems[name] = missing;
        return [name, absent];
      }
      if (typeof given !== 'string' && isRepeatable !== true) {
        problems[name] = 'must be given once';
        return [name, absent];
      }
      const value = read(typeof given === 'string' ? [given] : given);
      if (value === undefined) problems[name] = must;
      return [name, value];
    });
    if (Object.keys(problems).length > 0) {
      throw registryRefusal('invalid_parameter', { case: 'parameters', parameters: problems });
    }
    return Object.fromEntries(values) as QueryOf<S>;
  }
}
