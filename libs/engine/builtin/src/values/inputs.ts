import { NodeError } from '../execution/node-error.js';
import { Image } from './image.js';
import { Mask } from './mask.js';
import { Tensor } from './tensor.js';
import { isDict, isList, type Dict, type Value } from './value.js';

/** A sound as the engine's nodes hand it on. */
export interface Sound {
  readonly waveform: Tensor;
  readonly sampleRate: number;
}

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

  /** A latent: a dict whose `samples` are a tensor. */
  latent(name: string): Dict {
    const value = this.any(name);
    if (isDict(value) && value.get('samples') instanceof Tensor) return value;
    throw wrongKind(name, 'a LATENT');
  }

  /** A sound: `waveform` of shape [batch, channels, samples] and `sample_rate`. */
  audio(name: string): Sound {
    const value = this.any(name);
    const waveform = isDict(value) ? value.get('waveform') : undefined;
    const rate = isDict(value) ? value.get('sample_rate') : undefined;
    if (waveform instanceof Tensor && typeof rate === 'bigint') return { waveform, sampleRate: Number(rate) };
    throw wrongKind(name, 'an AUDIO');
  }

  dict(name: string): Dict {
    const value = this.any(name);
    if (isDict(value)) return value;
    throw wrongKind(name, 'an object');
  }

  /** A mask as a tensor of one channel. */
  maskTensor(name: string): Tensor {
    const { batch, height, width, data } = this.mask(name);
    return new Tensor([batch, 1, height, width], data);
  }

  /** The inputs of a growing group, `<name>.<prefix>0` and on, in their order; holes are passed over. */
  group(name: string, prefix: string, max: number): ReadonlyMap<string, Value> {
    return this.named(
      name,
      Array.from({ length: max }, (_, i) => `${prefix}${i}`),
    );
  }

  /** The inputs `<name>.<member>` that are there, in the order of `members`. */
  named(name: string, members: readonly string[]): ReadonlyMap<string, Value> {
    const found = new Map<string, Value>();
    for (const member of members) {
      const value = this.values.get(`${name}.${member}`);
      if (value !== undefined) found.set(member, value);
    }
    return found;
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

  /** For nodes that take whole lists: every value that came. */
  list(name: string): readonly Value[] {
    const value = this.any(name);
    if (isList(value)) return value;
    throw wrongKind(name, 'a list');
  }

  /** For nodes that take whole lists: a reader of the first value of each input. */
  get firsts(): Inputs {
    const firsts = [...this.values].map(([name, value]) => [name, isList(value) ? (value[0] ?? null) : value] as const);
    return new Inputs(new Map(firsts));
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
