import { describe, expect, it } from 'vitest';
import { fillTemplate, pythonRegex } from './python-regex.js';

const plain = { caseInsensitive: false, multiline: false, dotAll: false };

describe('a regular expression of Python', () => {
  it.each([
    ['(?P<year>\\d+)-(?P=year)', 'x 12-12', '12-12'],
    ['\\w+', 'é_1!', 'é_1'],
    ['\\d', '٣', '٣'],
    ['[\\w.-]+@', 'a.b-c@d', 'a.b-c@'],
    ['\\Aab\\Z', 'ab', 'ab'],
    ['a{,2}', 'aaa', 'aa'],
    ['{x}', '{x}', '{x}'],
    ['a\\-\\"b', 'a-"b', 'a-"b'],
    ['[]a]+', ']a]', ']a]'],
    ['(?i)AB', 'ab', 'ab'],
    ['(?#note)a', 'a', 'a'],
    ['(?<=a)b', 'ab', 'b'],
  ])('%s finds in %j %j', (pattern, text, found) => {
    expect(pythonRegex(pattern, plain).exec(text)?.[0]).toBe(found);
  });

  it.each(['(', '[a', 'a**', '(?P<x', '\\'])('%s is wrong', (pattern) => {
    expect(() => pythonRegex(pattern, plain)).toThrow('invalid regular expression');
  });

  it.each([
    ['\\2/\\1', 'b/a'],
    ['\\g<1>0', 'a0'],
    ['\\g<two>', 'b'],
    ['\\n\\\\', '\n\\'],
  ])('fills the template %s', (template, text) => {
    const match = pythonRegex('(a)(?P<two>b)', plain).exec('ab');
    expect(match && fillTemplate(template, match)).toBe(text);
  });

  it('refuses a template that names no group', () => {
    const match = pythonRegex('(a)', plain).exec('a');
    expect(() => match && fillTemplate('\\2', match)).toThrow('invalid group reference 2');
  });
});
