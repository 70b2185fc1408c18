import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parser } from 'web-tree-sitter';
import { loadPython } from '../python/parse-python.js';
import { scanPackage } from './scan-package.js';

let parser: Parser;
beforeAll(async () => {
  parser = await loadPython();
});
afterAll(() => parser.delete());

describe('the scan of several files', () => {
  const typesOf = (texts: Readonly<Record<string, string>>): string[] =>
    scanPackage({ texts: new Map(Object.entries(texts)), paths: [] }, parser)
      .filter(({ severity }) => severity === 'block')
      .map(({ issue_type: type, file_path: path, line_number: line }) => `${type} ${path}:${line}`);

  it.each<[string, Record<string, string>, string]>([
    ['a decoder', { 'a.py': 'from base64 import b64decode as d', 'b.py': 'from .a import d\nexec(d(x))' }, 'b.py:2'],
    [
      'a decoder by another name',
      { 'a.py': 'import base64\nd = base64.b64decode', 'b.py': 'from .a import d as e\nexec(e(x))' },
      'b.py:2',
    ],
    [
      'decoded data',
      { 'a.py': 'import base64\nC = base64.b64decode("eA==")', '__init__.py': 'from .a import C\nexec(C)' },
      '__init__.py:2',
    ],
    [
      'a function that decodes',
      { 'a.py': 'import zlib\ndef f(): return zlib.decompress(x)', 'b.py': 'from .a import f\nexec(f())' },
      'b.py:2',
    ],
    [
      'exec by another name',
      { 'a.py': 'run = exec', 'b.py': 'import base64\nfrom .a import run\nrun(base64.b64decode(x))' },
      'b.py:3',
    ],
    [
      'a function that runs',
      { 'a.py': 'def run(c): exec(c)', 'b.py': 'import base64\nfrom .a import run\nrun(base64.b64decode(x))' },
      'b.py:3',
    ],
    [
      'a module',
      { 'p/a.py': 'import base64\nC = base64.b64decode("eA==")', 'p/b.py': 'from . import a\nexec(a.C)' },
      'p/b.py:2',
    ],
    [
      'a module of the folder above',
      { 'p/a.py': 'run = eval', 'p/q/b.py': 'import base64\nfrom .. import a\na.run(base64.b64decode(x))' },
      'p/q/b.py:3',
    ],
    [
      'a package',
      {
        'p/__init__.py': 'from .a import C',
        'p/a.py': 'import zlib\nC = zlib.decompress(x)',
        'b.py': 'from .p import C\nexec(C)',
      },
      'b.py:2',
    ],
    ['all names', { 'a.py': 'import zlib\nC = zlib.decompress(x)', 'b.py': 'from .a import *\nexec(C)' }, 'b.py:2'],
  ])('follows %s', (_, texts, place) => expect(typesOf(texts)).toEqual([`decoded-exec ${place}`]));

  it.each<[string, Record<string, string>]>([
    [
      'a name that is bound again',
      { 'a.py': 'import zlib\nC = zlib.decompress(x)', 'b.py': 'from .a import C\ndef f():\n  C = "1"\n  eval(C)' },
    ],
    ['another name', { 'a.py': 'import zlib\nC = zlib.decompress(x)\nD = "1"', 'b.py': 'from .a import D\neval(D)' }],
    ['another module', { 'a.py': 'import zlib\nC = zlib.decompress(x)', 'p/b.py': 'from .a import C\neval(C)' }],
    [
      'a formula for a function that runs it',
      { 'a.py': 'def run(c): return eval(c)', 'b.py': 'from .a import run\nrun("1+1")' },
    ],
    [
      'imports that go round',
      { 'a.py': 'from .b import *\nfrom .b import x', 'b.py': 'from .a import *\nfrom .a import x\neval(x)' },
    ],
  ])('finds nothing in %s', (_, texts) => expect(typesOf(texts)).toEqual([]));

  it('ends within 3 s of the thread where modules import all names of each other', () => {
    const stars = Array.from({ length: 8 }, (_, at) => `from .m${at} import *\n`).join('');
    const calls = Array.from({ length: 6_000 }, (_, at) => `eval(a${at}, b${at})\n`).join('');
    const texts = new Map(Array.from({ length: 8 }, (_, at) => [`m${at}.py`, stars + calls]));
    const measured = (): number => {
      const before = process.threadCpuUsage();
      scanPackage({ texts, paths: [] }, parser);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    expect([1, 2, 3].some(() => measured() < 4_000)).toBe(true);
  });
});
