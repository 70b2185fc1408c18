import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filePathProblem } from './file-path.js';
import { outputFilePath } from './output-name.js';

describe('a file path', () => {
  it.each(['photo.png', 'models/checkpoints/m.safetensors', 'ü/日本.png', 'a b', '.hidden', 'a..b/c', 'x'.repeat(255)])(
    'accepts %j',
    (path) => {
      expect(filePathProblem(path)).toBeNull();
    },
  );

  it.each([
    '',
    '/etc/x',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    'C:\\x',
    'a\\b',
    'a:b',
    '...',
    'a.',
    'a ',
    'a\u00a0',
    'a./b.png',
    'a /b.png',
    'exe.\u202egpj',
    'a\u202ab',
    'a\u2066b\u2069',
    'a\u0000b',
    'a\u007fb',
    'u\u0308.png',
    '\ud800',
    'x'.repeat(256),
    'ab/'.repeat(341) + 'cd',
  ])('refuses %j', (path) => {
    expect(filePathProblem(path)).not.toBeNull();
  });

  it.each([
    ['', 'must not be empty'],
    ['x/'.repeat(512) + 'x', 'must be at most 1024 bytes'],
    ['é/'.repeat(342), 'must be at most 1024 bytes'],
    ['\ud800', 'must be well-formed Unicode'],
    ['a\tb', 'must not contain control characters'],
    ['exe.\u202egpj', 'must not contain characters that change the direction of text'],
    ['a\\b', 'must use "/" as its separator, not a backslash'],
    ['C:/a', 'must not contain a colon'],
    ['/a', 'must be relative: it may not start with "/"'],
    ['u\u0308.png', 'must be in Unicode normalization form NFC'],
    ['a//b', 'must not contain an empty segment'],
    ['a/', 'must not contain an empty segment'],
    ['a/../b', 'must not contain "." or ".." as a segment'],
    ['./a', 'must not contain "." or ".." as a segment'],
    ['a/b ', 'must not contain a segment that ends in a blank or a dot'],
    ['a./b', 'must not contain a segment that ends in a blank or a dot'],
    [`a/${'é'.repeat(128)}`, 'must not contain a segment over 255 bytes'],
  ])('names what is wrong with %j: it %s', (path, problem) => {
    expect(filePathProblem(path)).toBe(problem);
  });

  it('may be as long as its limits', () => {
    expect(filePathProblem('x'.repeat(255))).toBeNull();
    expect(filePathProblem(`${'é'.repeat(127)}x`)).toBeNull();
    expect(filePathProblem(`${`${'x'.repeat(255)}/`.repeat(3)}${'x'.repeat(255)}`)).toBeNull();
    expect(filePathProblem(`${`${'x'.repeat(255)}/`.repeat(4)}x`)).toBe('must be at most 1024 bytes');
  });

  it.each(['a.', 'a. ', '...', ' ', 'exe.\u202egpj', 'a./b ', '\u2066', 'x\u0000', 'é'.repeat(600)])(
    'is made of the name %j that an engine gave an output',
    (name) => {
      expect(filePathProblem(outputFilePath(name))).toBeNull();
    },
  );

  it('never lets a path through that leaves its root', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', ':', '%2e', 'é'), { maxLength: 12 }), (parts) => {
        const path = parts.join('');
        const segments = path.split('/');
        const safe = !path.startsWith('/') && !segments.includes('..') && !path.includes('\\');
        return filePathProblem(path) !== null || safe;
      }),
    );
  });
});
