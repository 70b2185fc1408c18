import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { contributingProblems } from './contributing.ts';

const made: string[] = [];

function problemsOf(page: string, files: Readonly<Record<string, string>> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'heddle-contributing-'));
  made.push(root);
  for (const [path, text] of Object.entries({ 'CONTRIBUTING.md': page, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const platform = { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:platform', 'type:contract'] };
  return contributingProblems(root, [platform, { onlyDependOnLibsWithTags: ['scope:x'] }]);
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

const ROW = '| `type:platform` | `type:contract`, `type:platform` | never a domain |';
const boundaries = (...rows: string[]): string => ['## Boundaries', '', ...rows, '', '## Tests'].join('\n');

describe('the check of CONTRIBUTING.md', () => {
  it('accepts a table of boundaries that equals the rules', () => {
    expect(problemsOf(boundaries(ROW))).toEqual([]);
  });

  it.each([
    ['a rule without a row', boundaries()],
    ['a row with other tags', boundaries(ROW.replace('`type:contract`, ', ''))],
    ['a row without a rule', boundaries(ROW, '| `type:kernel` | `type:kernel` | |')],
  ])('refuses %s', (_, page) => {
    expect(problemsOf(page)).toHaveLength(1);
  });

  it('refuses an example that leaves out a file which names the call, or names one that does not exist', () => {
    const files = { 'libs/a/src/port.ts': 'canMint(): boolean;', 'libs/a/src/port.spec.ts': 'canMint()' };
    const page = (path: string): string => `${boundaries(ROW)}\n### A call, by example\n\n\`${path}\`\n`;
    expect(problemsOf(page('libs/a/src/'), files)).toEqual([]);
    expect(problemsOf(page('libs/b/port.ts'), files)).toHaveLength(2);
  });
});
