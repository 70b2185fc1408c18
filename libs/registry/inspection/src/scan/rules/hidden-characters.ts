import type { CodeRule } from '../code-rule.js';

/** Bidirectional marks, embeddings, overrides and isolates, and the selectors of variants of a character. */
const HIDDEN = /[\u061c\u180b-\u180d\u180f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** An emoji with its selector is ordinary in titles and categories, an ideograph or a Mongolian letter with one in names. */
const EMOJI_BEFORE = /(?:[\p{Extended_Pictographic}\p{S}\u203c\u2049])$/u;
const IDEOGRAPH_BEFORE = /\p{Ideographic}$/u;
const MONGOLIAN_BEFORE = /\p{Script=Mongolian}$/u;

/** Characters that make code look other than it runs, or carry data that no editor shows. */
export const hiddenCharacters: CodeRule = {
  type: 'hidden-characters',
  message: 'Contains invisible characters that change how the code looks, or hide data. Remove them.',
  *find({ text }) {
    for (const { 0: char, index } of text.matchAll(HIDDEN)) {
      if (BIDIRECTIONAL.test(char) || !isOrdinary(text, index, char)) yield { from: index };
    }
  },
};

function isOrdinary(text: string, index: number, char: string): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  if (char >= '\u{e0100}' && char.length === 2) return IDEOGRAPH_BEFORE.test(before);
  if (/[\u180b-\u180d\u180f]/.test(char)) return MONGOLIAN_BEFORE.test(before);
  const keycap = /[0-9#*]$/.test(before) && text[index + 1] === '\u20e3';
  return keycap || EMOJI_BEFORE.test(before);
}
