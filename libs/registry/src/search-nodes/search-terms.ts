/** Texts are compared without case; NUL, which PostgreSQL stores in no text, is left out. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('\0', '');
}

/** The folded words of a text, those of `camelCase` too; a text of signs alone is one word. */
export function wordsOf(text: string): readonly string[] {
  const parted = text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ');
  const words = new Set([...split(text), ...split(parted)]);
  const whole = foldText(text).trim();
  return words.size > 0 || whole === '' ? [...words] : [whole];
}

function split(text: string): readonly string[] {
  return foldText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/**
 * What an index of words holds: every three characters in a row, and how each word begins. Words of scripts without
 * spaces are found by one or two characters too. A text that holds all grams of a word holds the word, but for rare
 * accidents.
 */
export function gramsOf(words: readonly string[]): readonly string[] {
  const grams = new Set<string>();
  for (const word of new Set(words)) {
    const letters = [...word];
    const isPlain = isAscii(word);
    grams.add(`^${letters[0]}`).add(`^${letters.slice(0, 2).join('')}`);
    for (let at = 0; at < letters.length; at++) {
      if (at + 3 <= letters.length) grams.add(letters.slice(at, at + 3).join(''));
      if (isPlain) continue;
      grams.add(letters[at]!).add(letters.slice(at, at + 2).join(''));
    }
  }
  return [...grams];
}

/** Grams that all stand in a text that holds every word of a question. */
export function soughtGrams(words: readonly string[]): readonly string[] {
  const grams = words.flatMap((word) => {
    const letters = [...word];
    if (letters.length < 3) return [isAscii(word) ? `^${word}` : word];
    return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  });
  return [...new Set(grams)];
}

/** All of them, as PostgreSQL's text search is asked. */
export function gramQuery(grams: readonly string[]): string {
  return grams.map((gram) => `'${gram.replace(/['\\]/g, '$&$&')}'`).join(' & ');
}

/** The same grams where only those of class names are meant. */
export function classGrams(words: readonly string[]): readonly string[] {
  return gramsOf(words).map(inClass);
}

export function inClass(gram: string): string {
  return `~${gram}`;
}

function isAscii(word: string): boolean {
  return /^[\0-\x7f]*$/.test(word);
}
