import { unknownFilesRejection } from '@heddle/contracts-messages';
import type { UnknownFile } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';

const unknown = (name: string, hint: string | null): UnknownFile => ({
  name,
  nodeId: '1',
  field: 'image',
  reason: 'value_not_in_list',
  isCause: true,
  sentence: `No asset or input file is named ${name}.`,
  hint,
});
const message = (file: UnknownFile, nearest: readonly (readonly [string, string])[] = []): string =>
  unknownFilesRejection([file], new Map(nearest)).message;

describe('the refusal of a graph whose file names no asset answers', () => {
  it("asks for the account's nearest asset, and for a file of the engine if there is none", () => {
    const file = unknown('lake.jgp', 'Did you mean example.png?');
    expect(message(file, [['lake.jgp', 'photos/lake.jpg']])).toMatch(/lake\.jgp\. Did you mean photos\/lake\.jpg\?$/);
    expect(message(file)).toMatch(/lake\.jgp\. Did you mean example\.png\?$/);
    expect(message(unknown('lake.jgp', null))).toMatch(/lake\.jgp\.$/);
  });

  it('keeps a name that reads like a hint', () => {
    const file = unknown('a Did you mean b?', 'Did you mean c.png?');
    expect(message(file, [['a Did you mean b?', 'd.png']])).toContain('named a Did you mean b?. Did you mean d.png?');
  });
});
