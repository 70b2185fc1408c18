import type { PackageFinding } from '@heddle/contracts-registry';
import { failed } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';
import { withPackedFiles } from './pack-package.js';
import type { PackedPackage } from './pack-package.js';
import { selectFiles } from './package-files.js';
import { readProject } from './read-project.js';
import type { Project } from './read-project.js';

/** A package as the registry would see it. */
export interface CheckedPackage extends PackedPackage {
  readonly project: Project;
  readonly files: number;
  readonly findings: readonly PackageFinding[];
  readonly classes: readonly string[];
  /** Why no classes were found, or which bound cut the reading short; "" otherwise. */
  readonly extractReason: string;
}

/** Packs a folder, inspects the zip as the registry does, and runs `work` while the zip is there. */
export async function withCheckedPackage<T>(
  folder: string,
  terminal: Terminal,
  work: (checked: CheckedPackage) => Promise<T>,
): Promise<T> {
  const project = await readProject(folder);
  const { files, warnings } = await selectFiles(folder, project.includes);
  for (const warning of warnings) terminal.say(`${terminal.paint('yellow', 'warning:')} ${warning}`);
  return await withPackedFiles(files, async (packed) => {
    const { inspectPackage, judgeArchive } = await import('@heddle/registry-inspection');
    const verdict = await judgeArchive(packed.path);
    if (!verdict.accepted) throw failed(verdict.problem);
    const { findings, extraction } = await inspectPackage(packed.path);
    const classes = extraction.nodes.map((node) => node.wf_node_name);
    return await work({
      ...packed,
      project,
      files: files.length,
      findings,
      classes,
      extractReason: extraction.reason,
    });
  });
}

export function isBlocked({ findings }: CheckedPackage): boolean {
  return findings.some(({ severity }) => severity === 'block');
}
