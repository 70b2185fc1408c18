import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { foldersOf, type Context, type Results, type TaskGraph } from './batch.ts';

/** Compiles the projects of a batch in one call: the compiler orders them by their references and uses both cores. */
export function build(graph: TaskGraph, _: unknown, __: unknown, context: Context): Results {
  const tasks = foldersOf(graph, context);
  const compiler = join(context.root, 'node_modules', 'tsc7', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b', ...tasks.map(({ folder }) => folder)], {
    cwd: context.root,
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  return Object.fromEntries(tasks.map(({ id }) => [id, { success: status === 0, terminalOutput: stdout }]));
}
