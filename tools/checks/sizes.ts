import { VAGUE_FOLDERS } from '../lint/names.mjs';
import { CODE_FOLDERS, sourceFiles } from './source-files.ts';

const MAX_LINES = 400;
const CODE = ['.ts', '.mjs', '.sql'];

/** Files over the limit, folders and files with vague names, barrels inside a library. */
export function sizes(root: string): string[] {
  return sourceFiles(root, CODE_FOLDERS, CODE).flatMap(({ path, text }) => {
    const problems: string[] = [];
    const lines = text.trimEnd().split('\n').length;
    if (lines > MAX_LINES) problems.push(`${path} has ${lines} lines, more than ${MAX_LINES}: it is two files`);
    const vague = path
      .split('/')
      .map((segment) => segment.replace(/\..*$/, ''))
      .find((segment) => VAGUE_FOLDERS.includes(segment));
    if (vague !== undefined) problems.push(`${path}: "${vague}" says nothing about what is inside`);
    if (
      /(^|\/)index\.ts$/.test(path) &&
      !/^(libs|apps)\/.*\/src\/index\.ts$|^(libs|apps)\/[^/]+\/src\/index\.ts$/.test(path)
    )
      problems.push(`${path} is a barrel inside a library: one index.ts, in src`);
    return problems;
  });
}

/** Median, 90th percentile and share of comment lines, as an overview of the code. */
export function sizeSummary(root: string): string {
  const files = sourceFiles(root, ['apps', 'libs'], ['.ts']);
  const sources = files.filter((file) => !file.path.endsWith('.spec.ts'));
  const lengths = sources.map((file) => file.text.trimEnd().split('\n').length).sort((a, b) => a - b);
  const at = (share: number): number => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const comments = sources.flatMap((file) => file.text.split('\n')).filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line));
  const tests = files.filter((file) => file.path.endsWith('.spec.ts'));
  const testLines = tests.reduce((sum, file) => sum + file.text.trimEnd().split('\n').length, 0);
  return (
    `${lengths.length} sources, ${total} lines: median ${at(0.5)}, p90 ${at(0.9)}, largest ${at(1)}; ` +
    `comments ${((comments.length / Math.max(1, total)) * 100).toFixed(0)} %; ` +
    `${(testLines / Math.max(1, total)).toFixed(2)} test lines a source line`
  );
}
