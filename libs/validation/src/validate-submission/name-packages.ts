import { Inject, Injectable, Optional } from '@nestjs/common';
import { MAX_ASKED_CLASSES, NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import type { NodePackage, NodePackagesPort } from '@heddle/contracts-messages';
import type { JsonObject, NodeErrors, NodeProblem } from '@heddle/workflow-graph';
import { answerWithin } from '../ask-registry/answer-within.js';

/** A verdict waits no longer for the names of packages (registry decisions, Unknown class). */
const MAX_WAIT_MS = 100;
/** As the registry extracts them. */
const MAX_NAME_LENGTH = 255;

/** Packages by the class that the engine does not know. */
type PackagesByClass = ReadonlyMap<string, NodePackage>;

const NONE: PackagesByClass = new Map();

/** Asks the registry which packages have the unknown classes of a graph. The verdict never depends on its answer. */
@Injectable()
export class NamePackages {
  constructor(
    @Optional()
    @Inject(NODE_PACKAGES_PORT)
    private readonly packages: Pick<NodePackagesPort, 'packagesOf'> | undefined,
  ) {}

  async of(graph: JsonObject, errors: NodeErrors): Promise<PackagesByClass> {
    if (this.packages === undefined) return NONE;
    const classes = unknownClasses(graph, errors);
    if (classes.length === 0) return NONE;
    return (await answerWithin(MAX_WAIT_MS, this.packages.packagesOf(classes))) ?? NONE;
  }
}

function unknownClasses(graph: JsonObject, errors: NodeErrors): readonly string[] {
  const names = new Set<string>();
  for (const [id, problems] of Object.entries(errors)) {
    if (names.size >= MAX_ASKED_CLASSES) break;
    if (!problems.some(({ reason }) => reason === 'unknown_node_class')) continue;
    const name = classIn(graph, id);
    if (name !== null && name.length <= MAX_NAME_LENGTH) names.add(name);
  }
  return [...names];
}

/** The class that a node names. */
function classIn(graph: JsonObject, id: string): string | null {
  const node = Object.getOwnPropertyDescriptor(graph, id)?.value as { readonly class_type?: unknown } | undefined;
  return typeof node?.class_type === 'string' ? node.class_type : null;
}

/** The package of a node with an unknown class. */
function packageOf(graph: JsonObject, packages: PackagesByClass, id: string): NodePackage | null {
  const name = packages.size === 0 ? null : classIn(graph, id);
  return name === null ? null : (packages.get(name) ?? null);
}

/** The sentence after that of an unknown class. */
export function packageSentence({ node_id: id, version }: NonNullable<NodeProblem['package']>): string {
  return `The package ${id}@${version} of the registry has this class.`;
}

/** The same problems, those of unknown classes with the package that has the class. */
export function withPackages(graph: JsonObject, errors: NodeErrors, packages: PackagesByClass): NodeErrors {
  if (packages.size === 0) return errors;
  const named = Object.create(null) as Record<string, NodeErrors[string]>;
  for (const [id, problems] of Object.entries(errors)) {
    const found = packageOf(graph, packages, id);
    named[id] =
      found === null
        ? problems
        : problems.map((problem) =>
            problem.reason === 'unknown_node_class'
              ? { ...problem, package: { node_id: found.nodeId, version: found.version } }
              : problem,
          );
  }
  return named;
}
