import { NodeError } from '../execution/node-error.js';
import { Image } from './image.js';
import { Mask } from './mask.js';
import { isList, type Value } from './value.js';

/** The evaluated inputs of one call of a node, read by kind. A value of another kind ends the node with an error. */
export class Inputs {
  constructor(private readonly values: ReadonlyMap<string, Value>) {}

  has(name: string): boolean {
    return this.values.has(name);
  }

  any(name: string): Value {
    const value = this.values.get(name);
    if (value === undefined) throw new NodeError('TypeError', `missing 1 required positional argument: '${name}'`);
    return value;
  }

  image(name: string): Image {
    const value = this.any(name);
    if (value instanceof Image) return value;
    throw wrongKind(name, 'an IMAGE');
  }

  mask(name: string): Mask {
    const value = this.any(name);
    if (value instanceof Mask) return value;
    // An IMAGE link never type-checks here, so only a constant can arrive.
    throw wrongKind(name, 'a MASK');
  }

  optionalImage(name: string): Image | null {
    return (this.values.get(name) ?? null) === null ? null : this.image(name);
  }

  optionalMask(name: string): Mask | null {
    return (this.values.get(name) ?? null) === null ? null : this.mask(name);
  }

  /** An integer that is small enough to count with; bigger ones are refused by the catalogue's ranges. */
  int(name: string, fallback?: number): number {
    return Number(this.bigInt(name, fallback === undefined ? undefined : BigInt(fallback)));
  }

  bigInt(name: string, fallback?: bigint): bigint {
    const value = this.values.get(name);
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value === 'bigint') return value;
    if (typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
    this.any(name);
    throw wrongKind(name, 'an INT');
  }

  float(name: string, fallback?: number): number {
    const value = this.values.get(name);
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
    this.any(name);
    throw wrongKind(name, 'a FLOAT');
  }

  text(name: string, fallback?: string): string {
    const value = this.values.get(name);
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value === 'string') return value;
    this.any(name);
    throw wrongKind(name, 'a STRING');
  }

  flag(name: string, fallback?: boolean): boolean {
    const value = this.values.get(name);
    if (value === undefined && fallback !== undefined) return fallback;
    if (value === undefined) this.any(name);
    return typeof value === 'object' ? value !== null : Boolean(value);
  }

  /** One of `options`; the engine's own nodes fall through unknown names, here they are an error. */
  choice<Option extends string>(name: string, options: readonly Option[], fallback?: Option): Option {
    const value = this.text(name, fallback);
    const found = options.find((option) => option === value);
    if (found === undefined) throw new NodeError('ValueError', `${name}: '${value}' is not in the list`);
    return found;
  }

  /** For nodes that take whole lists: every image of the list. */
  images(name: string): readonly Image[] {
    const value = this.any(name);
    if (!isList(value)) throw wrongKind(name, 'a list');
    return value.map((item) => {
      if (item instanceof Image) return item;
      throw wrongKind(name, 'a list of IMAGE');
    });
  }

  /** For nodes that take whole lists: the first value of the list as an integer. */
  firstInt(name: string): number {
    const value = this.any(name);
    return new Inputs(new Map([[name, isList(value) ? (value[0] ?? null) : value]])).int(name);
  }
}

function wrongKind(name: string, kind: string): NodeError {
  return new NodeError('TypeError', `${name} is not ${kind}`);
}
