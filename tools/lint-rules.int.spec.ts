import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import type { Linter } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';
import { boundaries } from './lint/boundaries.mjs';
import { projectGraph } from './lint.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FIXTURES = join(ROOT, 'tools', 'lint-fixtures');
const HEADER = /^\/\/ (linted as|expects|repeated to): (.*)$/gm;

interface Fixture {
  readonly name: string;
  readonly text: string;
  readonly lintedAs: string | null;
  readonly expected: readonly string[];
}

const fixtures = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.ts'))
  .map((name): Fixture => {
    const text = readFileSync(join(FIXTURES, name), 'utf8');
    const header = new Map([...text.matchAll(HEADER)].map((match) => [match[1], match[2] ?? '']));
    const lines = Number.parseInt(header.get('repeated to') ?? '0', 10);
    return {
      name,
      text: text + '// one more line\n'.repeat(Math.max(0, lines - text.split('\n').length + 1)),
      lintedAs: header.get('linted as') ?? null,
      expected: (header.get('expects') ?? '').split(', ').sort(),
    };
  });

/** Whichever fixture comes first reads every type of the repository. */
const WITHIN_MS = 180_000;

describe('the rules of the linter', { timeout: WITHIN_MS }, () => {
  beforeAll(projectGraph);

  it.each(fixtures)('catch $name', async ({ name, text, lintedAs, expected }) => {
    const fired = lintedAs === null ? await lintInPlace(name, text) : await lintAs(lintedAs, text);
    expect(fired).toEqual(expected);
  });

  it('have a fixture each', async () => {
    const active: string[] = [];
    for (const file of ['job.ts', 'job.spec.ts']) {
      const path = join(ROOT, 'libs/jobs/domain/src', file);
      const { rules } = (await new ESLint({ cwd: ROOT }).calculateConfigForFile(path)) as {
        rules: Record<string, readonly [number]>;
      };
      active.push(...Object.keys(rules).filter((rule) => rules[rule]?.[0] === 2));
    }
    const proven = new Set(fixtures.flatMap((fixture) => fixture.expected));
    expect(active.filter((rule) => !proven.has(rule))).toEqual([]);
  });

  // All boundaries are one rule of ESLint, whose message names the type that must not import.
  it('have a fixture for the boundary of each type that forbids something', async () => {
    const types = boundaries.depConstraints.flatMap(({ sourceTag, onlyDependOnLibsWithTags: tags }) =>
      sourceTag === undefined || tags.includes('*') ? [] : [sourceTag],
    );
    const messages: string[] = [];
    for (const { lintedAs, text } of fixtures)
      if (lintedAs !== null) messages.push(...(await messagesAs(lintedAs, text)));
    expect(types.filter((type) => !messages.some((message) => message.includes(`tagged with "${type}" can`)))).toEqual(
      [],
    );
  });
});

/** Where a file stands decides what it may import; such a fixture is judged as if it stood there. */
async function lintAs(path: string, text: string): Promise<string[]> {
  return rulesIn(await errorsAs(path, text));
}

async function messagesAs(path: string, text: string): Promise<string[]> {
  return (await errorsAs(path, text)).map(({ message }) => message);
}

async function errorsAs(path: string, text: string): Promise<Linter.LintMessage[]> {
  const withoutTypes = {
    languageOptions: { parserOptions: { project: null } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-misused-promises': 'off',
      '@typescript-eslint/await-thenable': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
    },
  } as const;
  return errorsIn(
    new ESLint({ cwd: ROOT, overrideConfig: { files: ['**/*.ts'], ...withoutTypes } }),
    text,
    join(ROOT, path),
  );
}

/** The others are judged where they lie, with types. */
async function lintInPlace(name: string, text: string): Promise<string[]> {
  const overrideConfig = [
    { ignores: ['!tools/lint-fixtures/**'] },
    { files: ['**/*.ts'], languageOptions: { parserOptions: { project: ['tools/lint-fixtures/tsconfig.json'] } } },
  ];
  return rulesIn(await errorsIn(new ESLint({ cwd: ROOT, overrideConfig }), text, join(FIXTURES, name)));
}

async function errorsIn(eslint: ESLint, text: string, filePath: string): Promise<Linter.LintMessage[]> {
  const results = await eslint.lintText(text, { filePath });
  // Warnings are ESLint's own remarks on comments that try to silence it.
  return results.flatMap((result) => result.messages).filter((message) => message.severity === 2);
}

function rulesIn(errors: readonly Linter.LintMessage[]): string[] {
  return [...new Set(errors.map((error) => error.ruleId ?? error.message))].sort();
}
