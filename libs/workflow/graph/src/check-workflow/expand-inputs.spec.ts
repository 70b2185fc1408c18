import { describe, expect, it } from 'vitest';
import type { DynamicInput, InputSpec } from '../catalogue/catalogue.js';
import { OTHER_INPUTS, UNKNOWN_VALUE } from '../catalogue/unknown-parts.js';
import type { JsonObject } from '../json/json-value.js';
import { expandInputs } from './expand-inputs.js';

const input = (name: string, dynamic: DynamicInput | null = null, required = true): InputSpec => ({
  ...UNKNOWN_VALUE,
  name,
  required,
  dynamic,
});
const images = (min: number, template = input('image')): InputSpec =>
  input('images', { form: 'autogrow', names: ['image0', 'image1', 'image2'], min, template });
const mode = input('mode', {
  form: 'combo',
  branches: new Map([
    ['plain', []],
    ['scaled', [input('width'), input('height', null, false)]],
    ['grown', [images(1)]],
  ]),
});
/** Names, each with `!` if it is required. */
const expanded = (declared: readonly InputSpec[], held: JsonObject): string[] =>
  expandInputs(declared, held).map(({ name, required }) => (required ? `${name}!` : name));

describe('the inputs of a node', () => {
  it('are as declared without dynamic ones, in their order', () => {
    expect(expanded([input('b'), input('a', null, false)], {})).toEqual(['b!', 'a']);
  });

  it('have every slot of a growing input, the first ones required', () => {
    expect(expanded([images(2)], {})).toEqual(['images.image0!', 'images.image1!', 'images.image2']);
    expect(expanded([images(0)], {})).toEqual(['images.image0', 'images.image1', 'images.image2']);
    const optional = images(2, input('image', null, false));
    expect(expanded([optional], {})).toEqual(['images.image0', 'images.image1', 'images.image2']);
  });

  it('have the inputs of the chosen key behind a combo', () => {
    expect(expanded([mode, input('last')], { mode: 'scaled' })).toEqual([
      'mode!',
      'mode.width!',
      'mode.height',
      'last!',
    ]);
    expect(expanded([mode], { mode: 'plain' })).toEqual(['mode!']);
    expect(expanded([mode], { mode: 'grown' })).toEqual([
      'mode!',
      'mode.images.image0!',
      'mode.images.image1',
      'mode.images.image2',
    ]);
  });

  it('have nothing of a combo whose key is unknown, missing or linked', () => {
    const without: readonly JsonObject[] = [{}, { mode: 'x' }, { mode: ['1', 0] }, { mode: 7 }, { mode: null }];
    for (const held of without) expect(expanded([mode, input('last')], held), JSON.stringify(held)).toEqual(['last!']);
    // Names that every object has are no keys.
    for (const key of ['constructor', '__proto__', 'toString']) expect(expanded([mode], { mode: key })).toEqual([]);
  });

  it('have the companions of a slot that is held, whatever it holds', () => {
    const slot = input('slot', { form: 'slot', inputs: [input('strength')] });
    expect(expanded([slot], {})).toEqual([]);
    for (const value of [['1', 0], null, 'x'])
      expect(expanded([slot], { slot: value })).toEqual(['slot!', 'slot.strength!']);
  });

  it('have the companions of each slot that is held of a growing input', () => {
    const template = input('lora', { form: 'slot', inputs: [input('strength')] });
    const loras = input('loras', { form: 'autogrow', names: ['l0', 'l1'], min: 0, template });
    expect(expanded([loras], { 'loras.l1': ['1', 0] })).toEqual(['loras.l0', 'loras.l1!', 'loras.l1.strength!']);
  });

  it('are each that the node holds where others are not known, save lists that are no links', () => {
    const held = { known: 1, text: 'x', link: ['1', 0], list: [1, 2, 3], none: null };
    expect(expanded([input('known'), OTHER_INPUTS], held)).toEqual(['known!', 'text', 'link', 'none']);
  });

  it('are marked where every object has their name', () => {
    const names = expandInputs([input('toString'), input('a')], {}).map(({ inheritedName }) => inheritedName);
    expect(names).toEqual([true, false]);
  });

  it('are at most 4,096, also if they grow into one another', () => {
    const many = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const wide = (depth: number): InputSpec =>
      input('w', { form: 'slot', inputs: many.map((name) => (depth === 0 ? input(name) : { ...wide(0), name })) });
    const held: JsonObject = { w: 1 };
    for (const name of many) held[`w.${name}`] = 1;
    expect(expandInputs([wide(1)], held).length).toBe(4_096);
    const other: JsonObject = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, 1]));
    expect(expandInputs([OTHER_INPUTS], other).length).toBe(4_096);
  });
});
