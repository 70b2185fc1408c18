import type { PythonJson } from '../values/value.js';

const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;

const WORDS: readonly (readonly [string, PythonJson])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** Words that Python's JSON reader accepts in addition to JSON's words */
export const PYTHON_WORDS: typeof WORDS = [...WORDS, ['NaN', NaN], ['Infinity', Infinity], ['-Infinity', -Infinity]];

/**
 * Reads JSON with the precision of Python: integers of any size, `1` distinct from `1.0`, the order of keys (also of
 * integer-like keys), and keys such as `__proto__`. `words`: bare words that are values. Throws `SyntaxError`; maximum depth
 * 64.
 */
export function readJson(text: string, words = WORDS): PythonJson {
  const reader = new JsonReader(text, words);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly words: typeof WORDS,
  ) {}

  value(depth: number): PythonJson {
    if (depth > MAX_DEPTH) throw new SyntaxError('JSON is nested too deeply');
    this.match(SPACE);
    const first = this.text[this.at];
    if (first === '{') return this.object(depth);
    if (first === '[') return this.list(depth);
    if (first === '"') return this.string();
    for (const [word, value] of this.words) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  end(): void {
    this.match(SPACE);
    if (this.at !== this.text.length) this.fail();
  }

  private object(depth: number): PythonJson {
    const members = new Map<string, PythonJson>();
    this.at += 1;
    if (this.skip('}')) return members;
    do {
      this.match(SPACE);
      const key = this.string();
      if (!this.skip(':')) this.fail();
      members.set(key, this.value(depth + 1));
    } while (this.skip(','));
    if (!this.skip('}')) this.fail();
    return members;
  }

  private list(depth: number): PythonJson {
    const items: PythonJson[] = [];
    this.at += 1;
    if (this.skip(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.skip(','));
    if (!this.skip(']')) this.fail();
    return items;
  }

  private string(): string {
    // A regular expression recurses on a long string, so the end is searched by hand.
    const end = this.closingQuote();
    const raw = this.text.slice(this.at, end + 1);
    this.at = end + 1;
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'string') this.fail();
    return value;
  }

  private closingQuote(): number {
    if (this.text[this.at] !== '"') this.fail();
    for (let at = this.at + 1; ; at += 1) {
      at = this.text.indexOf('"', at);
      if (at < 0) this.fail();
      let slashes = 0;
      while (this.text[at - 1 - slashes] === '\\') slashes += 1;
      if (slashes % 2 === 0) return at;
    }
  }

  private number(): PythonJson {
    const found = this.match(NUMBER);
    if (found === undefined || found[0] === '') this.fail();
    return found[1] === undefined && found[2] === undefined ? BigInt(found[0]) : Number(found[0]);
  }

  private skip(mark: string): boolean {
    this.match(SPACE);
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }

  private fail(): never {
    throw new SyntaxError(`unexpected text in JSON at position ${this.at}`);
  }
}
