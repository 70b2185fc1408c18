import { join } from 'node:path';
import { ESLint } from 'eslint';
import { filesBelow } from '../checks/source-files.ts';
import { allFolders, foldersOf, projectOf, type Context, type Results, type TaskGraph } from './batch.ts';

/**
 * Lints the projects of a batch in one process: the types of the whole repository, which its rules read, are loaded
 * once.
 */
export async function eslint(graph: TaskGraph, _: unknown, __: unknown, context: Context): Promise<Results> {
  const linter = new ESLint({ cwd: context.root, errorOnUnmatchedPattern: false, warnIgnored: false });
  const folders = allFolders(context);
  const results: Record<string, { success: boolean; terminalOutput: string }> = {};
  for (const { id, folder } of foldersOf(graph, context)) {
    const own = filesBelow(join(context.root, folder))
      .map((path) => path.slice(context.root.length + 1))
      .filter((path) => /\.(ts|mjs)$/.test(path) && projectOf(path, folders) === folder);
    // The root is not a project: its few files belong to the tools that they configure.
    const files = folder === 'tools' ? [...own, '*.ts', '*.mjs'] : own;
    const found = files.length === 0 ? [] : await linter.lintFiles(files);
    const problems = found.flatMap(({ filePath, messages }) =>
      messages.map(
        ({ line, column, message, ruleId }) =>
          `${filePath.slice(context.root.length + 1)}:${line}:${column} ${message} (${ruleId ?? 'not parsed'})`,
      ),
    );
    for (const problem of problems) process.stdout.write(`${problem}\n`);
    results[id] = { success: problems.length === 0, terminalOutput: problems.join('\n') };
  }
  return results;
}
