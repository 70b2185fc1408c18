import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { contentTypeProblem } from './content-type.js';
import { filePathProblem } from './file-path.js';
import { outputContentType, outputFilePath } from './output-name.js';

describe('the path of an output', () => {
  it.each([
    ['image_00001_.png', 'image_00001_.png'],
    ['sub/image.png', 'sub/image.png'],
    ['日本.png', '日本.png'],
    ['../escape.png', '.._escape.png'],
    ['/abs.png', '_abs.png'],
    ['C:\\a.png', 'C_a.png'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['name.', 'name'],
    ['...', 'output_3'],
    ['', 'output_0'],
  ])('of the engine’s name %j is %j', (name, path) => {
    expect(outputFilePath(name)).toBe(path);
  });

  it(`is valid whatever an engine says, and stays as it is the second time (seed ${seed})`, () => {
    const names = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 300 }).map((codes) => String.fromCharCode(...codes)),
      fc
        .array(fc.constantFrom('..', '.', 'a', '/', '\\', ':', ' ', '\0', 'é', '\u202e'), { maxLength: 20 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(names, (name) => {
        const path = outputFilePath(name);
        expect(filePathProblem(path)).toBeNull();
        expect(outputFilePath(path)).toBe(path);
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('the content type of an output', () => {
  it.each([
    ['image/png', 'image/png'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
    ['image/png\r\nx: y', 'application/octet-stream'],
  ])('of %j is %j', (given, type) => {
    expect(outputContentType(given)).toBe(type);
    expect(contentTypeProblem(outputContentType(given))).toBeNull();
  });
});
