import { NodeError } from '../execution/node-error.js';

export interface RegexFlags {
  readonly caseInsensitive: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** Classes of characters as Python's `re` means them for text: all of Unicode. */
const CLASS_BODIES: Readonly<Record<string, string>> = { d: '\\p{Nd}', w: '\\p{L}\\p{N}_', s: '\\s\\x1c-\\x1f\\x85' };
const INLINE_FLAGS = /^\(\?([aiLmsux]+)\)/;
/** Characters that may be escaped in this language's Unicode mode; Python allows any punctuation. */
const SYNTAX = '^$\\.*+?()[]{}|/';

/**
 * A pattern of Python's `re` as an expression of this language, global. Throws `NodeError` of Python's kind `re.error`
 * where the pattern is wrong or uses what cannot be expressed here (conditionals, possessive quantifiers).
 */
export function pythonRegex(pattern: string, flags: RegexFlags): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  const letters = inline?.[1] ?? '';
  const on = (flag: boolean, letter: string): string => (flag || letters.includes(letter) ? letter : '');
  const names = on(flags.caseInsensitive, 'i') + on(flags.multiline, 'm') + on(flags.dotAll, 's');
  try {
    return new RegExp(translate(pattern.slice(inline?.[0].length ?? 0)), `gu${names}`);
  } catch (error) {
    throw new NodeError('re.error', error instanceof SyntaxError ? 'invalid regular expression' : String(error));
  }
}

function translate(pattern: string): string {
  let out = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] as string;
    if (char === '\\') {
      at += 1;
      out += escape(pattern[at] ?? '', inClass);
    } else if (inClass) {
      if (char === ']' && !/\[\^?$/.test(out)) inClass = false;
      out += char === '[' ? '\\[' : char === ']' && inClass ? '\\]' : char;
    } else if (char === '[') {
      inClass = true;
      out += char;
    } else if (pattern.startsWith('(?P<', at)) {
      out += '(?<';
      at += 3;
    } else if (pattern.startsWith('(?P=', at)) {
      const end = pattern.indexOf(')', at);
      out += `\\k<${pattern.slice(at + 4, end)}>`;
      at = end;
    } else if (pattern.startsWith('(?#', at)) {
      at = pattern.indexOf(')', at);
      if (at < 0) throw new SyntaxError('unterminated comment');
    } else if (/^\{,\d+\}/.test(pattern.slice(at, at + 24))) {
      out += '{0';
    } else {
      out += isLiteralBrace(pattern, at) ? `\\${char}` : char;
    }
  }
  return out;
}

/** A brace that is not a repetition stands for itself in Python. */
function isLiteralBrace(pattern: string, at: number): boolean {
  if (pattern[at] === '{') return !/^\{(?:\d+(?:,\d*)?|,\d+)\}/.test(pattern.slice(at, at + 24));
  return pattern[at] === '}' && !/\{(?:\d+(?:,\d*)?|,\d+)$/.test(pattern.slice(Math.max(0, at - 24), at));
}

function escape(char: string, inClass: boolean): string {
  const lower = char.toLowerCase();
  const body = CLASS_BODIES[lower];
  if (body !== undefined) {
    if (char === lower) return inClass ? body : `[${body}]`;
    return inClass ? `\\${char}` : `[^${body}]`;
  }
  if (char === 'A') return '(?<![\\s\\S])';
  if (char === 'Z') return '(?![\\s\\S])';
  if (char === 'a') return '\\x07';
  if (/[A-Za-z0-9]/.test(char)) return `\\${char}`;
  if (char === '-') return inClass ? '\\-' : '-';
  return SYNTAX.includes(char) ? `\\${char}` : char;
}

/** Python's replacement text: `\1`, `\g<1>`, `\g<name>`, `\n` and the like. */
export function fillTemplate(template: string, match: RegExpExecArray): string {
  return template.replace(/\\(?:g<([^>]*)>|(\d{1,2})|(.))/gsu, (_, named: string, number: string, char: string) => {
    if (char !== undefined)
      return (
        CONTROL[char] ??
        (/[A-Za-z]/.test(char) ? badTemplate(`bad escape \\${char}`) : char === '\\' ? '\\' : `\\${char}`)
      );
    const group = named ?? number;
    if (/^\d+$/.test(group)) {
      const index = Number(group);
      if (index >= match.length) badTemplate(`invalid group reference ${group}`);
      return match[index] ?? '';
    }
    if (!match.groups || !(group in match.groups)) throw new NodeError('IndexError', `unknown group name '${group}'`);
    return match.groups?.[group] ?? '';
  });
}

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' };

function badTemplate(what: string): never {
  throw new NodeError('re.error', `${what} at position 1`);
}
