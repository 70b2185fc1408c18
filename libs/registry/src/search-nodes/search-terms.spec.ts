import { describe, expect, it } from 'vitest';
import { gramsOf, soughtGrams, wordsOf } from './search-terms.js';

describe('the words of a text', () => {
  it.each([
    ['ComfyUI-Impact_pack 2', ['comfyui', 'impact', 'pack', '2', 'comfy', 'ui']],
    ['Ｆｕｌｌ　width', ['full', 'width']],
    ['★', ['★']],
    ['a\0b', ['ab']],
    [' ', []],
  ])('%j are %j', (text, words) => expect(wordsOf(text)).toEqual(words));
});

describe('the grams of a word', () => {
  const holds = (word: string, part: string) => soughtGrams([part]).every((gram) => gramsOf([word]).includes(gram));

  it('hold those of each part of three letters or more, and of shorter beginnings', () => {
    for (const part of ['upscaler', 'ups', 'caler', 'u', 'up']) expect(holds('upscaler', part), part).toBe(true);
    for (const part of ['ps', 'upx', 'upscalers', 's']) expect(holds('upscaler', part), part).toBe(false);
  });

  it('hold those of each part of a word without spaces', () => {
    for (const part of ['像', '画像', '像処', '処理']) expect(holds('画像処理', part), part).toBe(true);
    expect(holds('画像処理', '理画')).toBe(false);
  });
});
