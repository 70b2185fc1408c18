import { NOT_SHIPPED, sourceFiles } from './source-files.ts';

/** Below it are packages that only specs import. */
const TEST_KITS = 'libs/testing/';

/** Median, 90th percentile and share of comment lines, as an overview of the code. */
export function sizeSummary(root: string): string {
  const files = sourceFiles(root, ['apps', 'libs'], ['.ts']);
  const isTest = ({ path }: { readonly path: string }): boolean => NOT_SHIPPED.test(path) || path.startsWith(TEST_KITS);
  const sources = files.filter((file) => !isTest(file));
  const lengths = sources.map((file) => file.text.trimEnd().split('\n').length).sort((a, b) => a - b);
  const at = (share: number): number => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const comments = sources.flatMap((file) => file.text.split('\n')).filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line));
  const tests = files.filter(isTest);
  const testLines = tests.reduce((sum, file) => sum + file.text.trimEnd().split('\n').length, 0);
  return (
    `${lengths.length} sources, ${total} lines: median ${at(0.5)}, p90 ${at(0.9)}, largest ${at(1)}; ` +
    `comments ${((comments.length / Math.max(1, total)) * 100).toFixed(0)} %; ` +
    `${(testLines / Math.max(1, total)).toFixed(2)} test lines a source line`
  );
}
