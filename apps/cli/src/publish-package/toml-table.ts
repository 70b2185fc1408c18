import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { isText, textRule } from '@heddle/registry-domain';
import { wrongUsage } from '../failure.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads fields of a table of a file; a field of another type is named with its place. */
export class TomlTable {
  constructor(
    private readonly file: string,
    /** As it stands in the file, e.g. `tool.comfy`. */
    private readonly name: string,
    private readonly fields: Fields,
  ) {}

  has(field: string): boolean {
    return this.fields[field] !== undefined;
  }

  /** A key that is near to a field that the table lacks; null if there is none. */
  misspelt(field: string): string | null {
    const meant = new NearestName([field]);
    return Object.keys(this.fields).find((key) => key !== field && meant.of(key) === field) ?? null;
  }

  /** "" where there is none. `max`: what the registry takes, in code points. */
  text(field: string, max = Infinity): string {
    const value = this.fields[field] ?? '';
    if (typeof value !== 'string') throw this.wrong(field, 'must be a string in quotes');
    const text = value.trim();
    if (isText(text, max)) return text;
    throw this.wrong(field, textRule(max));
  }

  texts(field: string): readonly string[] {
    const value = this.fields[field] ?? [];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value as string[];
    throw this.wrong(field, 'must be a list of strings');
  }

  /** A table below this one; empty where there is none. */
  table(field: string): TomlTable {
    const value = this.fields[field] ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) throw this.wrong(field, 'must be a table');
    return new TomlTable(this.file, this.#path(field), value as Fields);
  }

  isTable(field: string): boolean {
    return typeof this.fields[field] === 'object' && !Array.isArray(this.fields[field]);
  }

  wrong(field: string, problem: string, nextStep: string | null = null): Error {
    return wrongUsage(`${this.file}: ${this.#path(field)} ${problem}`, nextStep);
  }

  #path(field: string): string {
    return this.name === '' ? field : `${this.name}.${field}`;
  }
}
