import type { TomlTable } from './toml-table.js';

/** What a package runs on. */
export interface Supported {
  readonly dependencies: readonly string[];
  readonly supportedOs: readonly string[];
  readonly supportedAccelerators: readonly string[];
  /** Constraints as `>=1.0.0,<2.0.0`; "" where there is none. */
  readonly engineVersion: string;
  readonly frontendVersion: string;
}

const OS = 'Operating System :: ';
const ACCELERATOR = /^Environment :: (?=[GN]PU :: )/;
/** The engine's frontend among the dependencies is a constraint, and nothing to install with the package. */
const FRONTEND = /^comfyui[-_.]frontend[-_.]package(?![\w.-])\s*(.*)$/is;

/** Operating systems and accelerators stand in classifiers, constraints on the engine in two places. */
export function supportedOf(project: TomlTable, tool: TomlTable): Supported {
  const classifiers = project.texts('classifiers');
  const dependencies = project.texts('dependencies');
  const frontend = dependencies.map((one) => FRONTEND.exec(one)?.[1]).find((constraint) => constraint !== undefined);
  return {
    dependencies: dependencies.filter((one) => !FRONTEND.test(one)),
    supportedOs: classifiers.filter((one) => one.startsWith(OS)).map((one) => one.slice(OS.length)),
    supportedAccelerators: classifiers
      .filter((one) => ACCELERATOR.test(one))
      .map((one) => one.replace(ACCELERATOR, '')),
    engineVersion: tool.text('requires-comfyui'),
    frontendVersion: frontend?.trim() ?? '',
  };
}
