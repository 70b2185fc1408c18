import { Readable } from 'node:stream';
import { MAX_OUTPUT_NAME } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';
import { describe, expect, it } from 'vitest';
import { fitOutput } from './fit-output.js';

const outputOf = (name: string, contentType = 'image/png'): EngineOutput => ({
  nodeId: '1',
  key: '1/image/0',
  name,
  type: 'image',
  contentType,
  sizeBytes: 1,
  open: () => Promise.resolve(Readable.from(['x'])),
});

describe('an output as an engine names it', () => {
  it('keeps a name and a media type that fit', () => {
    expect(fitOutput(outputOf('a.png'))).toMatchObject({ name: 'a.png', contentType: 'image/png' });
  });

  it('keeps the ending of a name that is cut', () => {
    expect(fitOutput(outputOf(`${'a'.repeat(2_000)}.png`)).name).toBe(`${'a'.repeat(MAX_OUTPUT_NAME - 4)}.png`);
  });

  it('drops an invalid ending', () => {
    expect(fitOutput(outputOf(`a.${'b'.repeat(2_000)}`)).name).toHaveLength(MAX_OUTPUT_NAME);
  });

  it('leaves no half of a character', () => {
    const { name } = fitOutput(outputOf('x' + '\u{1f600}'.repeat(1_000)));
    expect([name.length <= MAX_OUTPUT_NAME, name.isWellFormed()]).toEqual([true, true]);
  });

  it('calls a media type that is too long unknown', () => {
    expect(fitOutput(outputOf('a.png', `image/${'x'.repeat(300)}`)).contentType).toBe('application/octet-stream');
  });
});
