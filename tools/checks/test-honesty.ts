import { dirname } from 'node:path';
import { CODE_FOLDERS, sourceFiles } from './source-files.ts';

const LEFT_OUT =
  /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf)\b|^\s*(?:xit|fit|xdescribe|fdescribe)\(/;
/** Suites under test/ run on any surface, and some rules hold on only one. */
const CONDITIONAL = /\b(?:it|test|describe|suite)(?:\.\w+)*\.runIf\b/;
/**
 * Servers that a machine cannot have (only with ALLOW_SKIP=1, otherwise these fail), and tests that need one platform.
 */
const STATED = /\.(?:skipIf\((?:skipped|await kafkaIsSkipped\(\))\)|runIf\(process\.platform === 'linux'\))/;
const TITLE = /\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;

/** Tests that do not run, titles that wish instead of stating the rule, and use cases without a spec. */
export function testHonesty(root: string): string[] {
  return [...untestedUseCases(root), ...testProblems(root)];
}

/** A use case is removed with its folder, so its spec is in the folder too. */
function untestedUseCases(root: string): string[] {
  const foldersOf = (ending: string): ReadonlySet<string> =>
    new Set(sourceFiles(root, ['libs', 'apps'], [ending]).map(({ path }) => dirname(path)));
  const tested = foldersOf('.spec.ts');
  return [...foldersOf('.handler.ts')]
    .filter((folder) => !tested.has(folder))
    .map((folder) => `${folder}: a handler without a spec in its folder`);
}

function testProblems(root: string): string[] {
  return sourceFiles(root, CODE_FOLDERS, ['.spec.ts'])
    .filter((file) => file.path !== 'tools/checks/checks.spec.ts')
    .flatMap(({ path, text }) => [
      ...text.split('\n').flatMap((line, index) => {
        if (STATED.test(line)) return [];
        const match = LEFT_OUT.exec(line) ?? (path.startsWith('test/') ? null : CONDITIONAL.exec(line));
        return match === null ? [] : [`${path}:${index + 1}: a test is left out or singled out (${match[0]})`];
      }),
      ...[...text.matchAll(TITLE)]
        .filter((match) => /\bshould\b/.test(match[2] ?? ''))
        .map((match) => `${path}: the title "${match[2]}" says "should": state the rule`),
    ]);
}
