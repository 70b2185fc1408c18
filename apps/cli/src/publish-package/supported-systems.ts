import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isText, isTextList, textListRule, textRule } from '@heddle/registry-domain';
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
  const supported = {
    dependencies: dependencies.filter((one) => !FRONTEND.test(one)),
    supportedOs: classifiers.filter((one) => one.startsWith(OS)).map((one) => one.slice(OS.length)),
    supportedAccelerators: classifiers
      .filter((one) => ACCELERATOR.test(one))
      .map((one) => one.replace(ACCELERATOR, '')),
    engineVersion: tool.text('requires-comfyui', REGISTRY_LIMITS.text),
    frontendVersion: frontend?.trim() ?? '',
  };
  assertLengths(project, supported);
  return supported;
}

/** Checks the lengths of values that are only a part of a field of the file. */
function assertLengths(project: TomlTable, supported: Supported): void {
  const { dependencies, dependency, list, text } = REGISTRY_LIMITS;
  if (!isTextList(supported.dependencies, dependencies, dependency))
    throw project.wrong('dependencies', textListRule(dependencies, dependency));
  if (!isText(supported.frontendVersion, text))
    throw project.wrong('dependencies', `has a constraint on the frontend that ${textRule(text)}`);
  for (const systems of [supported.supportedOs, supported.supportedAccelerators]) {
    if (!isTextList(systems, list, text)) throw project.wrong('classifiers', textListRule(list, text));
  }
}
