import type { NodeErrorReason, NodeProblem } from './node-problems.js';

/** Which nodes a problem must belong to in order to count. */
export type ProblemOrigin =
  /** Any node of the graph. */
  | 'anywhere'
  /** Nodes that an output depends on through declared inputs: those that the engine validates. */
  | 'validated'
  /** Nodes that run, including those reached through undeclared inputs. */
  | 'running';

interface LoggedProblem {
  readonly problem: NodeProblem;
  readonly origin: ProblemOrigin;
}

/**
 * Collects the problems of one workflow by node number. A fault represents an exception in the engine's own check; its
 * field is known only once the links to the node are.
 */
export class ProblemLog {
  private readonly problems = new Map<number, LoggedProblem[]>();
  /** By field. Thousands of nodes have the same few problems: one object for each node would be megabytes. */
  private readonly known = new Map<string, LoggedProblem[]>();
  private readonly faults = new Set<number>();

  add(node: number, field: string, reason: NodeErrorReason, origin: ProblemOrigin = 'validated'): void {
    const logged = this.problems.get(node);
    const problem = this.problemOf(field, reason, origin);
    if (logged === undefined) this.problems.set(node, [problem]);
    else logged.push(problem);
  }

  addFault(node: number): void {
    this.faults.add(node);
  }

  get isEmpty(): boolean {
    return this.problems.size === 0 && this.faults.size === 0;
  }

  private problemOf(field: string, reason: NodeErrorReason, origin: ProblemOrigin): LoggedProblem {
    const known = this.known.get(field);
    for (const one of known ?? []) if (one.problem.reason === reason && one.origin === origin) return one;
    const problem = { problem: { field, reason }, origin };
    if (known === undefined) this.known.set(field, [problem]);
    else known.push(problem);
    return problem;
  }

  /** The problems that count, by node number; a fault without a field is reported on `inputs`. */
  counted(
    stands: (node: number, origin: ProblemOrigin) => boolean,
    fieldsOfFaults: ReadonlyMap<number, string>,
  ): Map<number, NodeProblem[]> {
    const counted = new Map<number, NodeProblem[]>();
    for (const [node, logged] of this.problems) {
      const kept = logged.filter(({ origin }) => stands(node, origin)).map(({ problem }) => problem);
      if (kept.length > 0) counted.set(node, kept);
    }
    for (const node of this.faults) {
      if (!stands(node, 'validated')) continue;
      const fault: NodeProblem = { field: fieldsOfFaults.get(node) ?? 'inputs', reason: 'validation_exception' };
      counted.set(node, [...(counted.get(node) ?? []), fault]);
    }
    return counted;
  }
}
