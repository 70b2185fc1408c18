import type { NodeImplementation } from '../execution/node-class.js';
import { pythonStrip } from '../text/python-strip.js';

const COMPARISONS = ['Starts With', 'Ends With', 'Equal'] as const;
const TRIMS = ['Both', 'Left', 'Right'] as const;
const CASES = ['UPPERCASE', 'lowercase', 'Capitalize', 'Title Case'] as const;

export const stringConcatenate: NodeImplementation = {
  run: (inputs) => [inputs.text('string_a') + inputs.text('delimiter', '') + inputs.text('string_b')],
};

/** A Python slice: code points, negative positions count from the end. */
export const stringSubstring: NodeImplementation = {
  run(inputs) {
    const points = [...inputs.text('string')];
    return [points.slice(inputs.int('start'), inputs.int('end')).join('')];
  },
};

export const stringLength: NodeImplementation = {
  run: (inputs) => [BigInt([...inputs.text('string')].length)],
};

export const caseConverter: NodeImplementation = {
  run(inputs) {
    const text = inputs.text('string');
    const mode = inputs.choice('mode', CASES);
    if (mode === 'UPPERCASE') return [text.toUpperCase()];
    if (mode === 'lowercase') return [text.toLowerCase()];
    if (mode === 'Capitalize') return [text.replace(/^./su, upperFirst).replace(/(?<=^.).+/su, lower)];
    return [
      text.replace(/\p{Cased}+/gu, (word) => upperFirst([...word][0] ?? '') + lower([...word].slice(1).join(''))),
    ];
  },
};

export const stringTrim: NodeImplementation = {
  run(inputs) {
    const mode = inputs.choice('mode', TRIMS);
    return [pythonStrip(inputs.text('string'), mode !== 'Right', mode !== 'Left')];
  },
};

export const stringReplace: NodeImplementation = {
  run: (inputs) => [replaceAll(inputs.text('string'), inputs.text('find'), inputs.text('replace'))],
};

export const stringContains: NodeImplementation = {
  run(inputs) {
    const fold = foldCase(inputs.flag('case_sensitive', true));
    return [fold(inputs.text('string')).includes(fold(inputs.text('substring')))];
  },
};

export const stringCompare: NodeImplementation = {
  run(inputs) {
    const fold = foldCase(inputs.flag('case_sensitive', true));
    const [a, b] = [fold(inputs.text('string_a')), fold(inputs.text('string_b'))];
    const mode = inputs.choice('mode', COMPARISONS);
    if (mode === 'Equal') return [a === b];
    return [mode === 'Starts With' ? a.startsWith(b) : a.endsWith(b)];
  },
};

/** Python's `str.replace`: an empty search string matches between all code points. */
function replaceAll(text: string, find: string, replacement: string): string {
  if (find !== '') return text.split(find).join(replacement);
  return replacement + [...text].map((point) => point + replacement).join('');
}

function foldCase(sensitive: boolean): (text: string) => string {
  return sensitive ? (text) => text : lower;
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Letters whose title case is a character of its own. */
const TITLE_CASE: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'ǄǅǆǇǈǉǊǋǌǱǲǳ'].map((letter, i) => [letter, [...'ǅǈǋǲ'][Math.floor(i / 3)] ?? letter])),
  ...Object.fromEntries([...'ᾳῃῳ'].map((letter, i) => [letter, [...'ᾼῌῼ'][i] ?? letter])),
};

/** Python's title case of a letter: of what upper case makes of a ligature only the first letter stays upper. */
function upperFirst(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCodePoint(code | 8);
  const special = TITLE_CASE[letter];
  if (special !== undefined) return special;
  const [first = '', ...rest] = letter.toUpperCase();
  const modifier = !/\p{Cased}/u.test(first);
  return first + (modifier ? rest.join('') : rest.join('').toLowerCase());
}
