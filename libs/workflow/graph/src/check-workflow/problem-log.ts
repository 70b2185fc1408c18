import type { NodeErrorReason, NodeProblem } from './node-problems.js';

/** Which nodes a problem must belong to in order to count. */
export type Standing =
  /** Any node of the graph. */
  | 'anywhere'
  /** Nodes that an output depends on through declared inputs: those that the engine validates. */
  | 'validated'
  /** Nodes that run, including those reached through undeclared inputs. */
  | 'running';

interface LoggedProblem extends NodeProblem {
  readonly standing: Standing;
}

/**
 * Collects the problems of one workflow by node number. A fault represents an exception in the engine's own check; its
 * field is known only once the links to the node are.
 */
export class ProblemLog {
  private readonly problems = new Map<number, LoggedProblem[]>();
  private readonly faults = new Set<number>();

  add(node: number, field: string, reason: NodeErrorReason, standing: Standing = 'validated'): void {
    const logged = this.problems.get(node);
    const problem = { field, reason, standing };
    if (logged === undefined) this.problems.set(node, [problem]);
    else logged.push(problem);
  }

  addFault(node: number): void {
    this.faults.add(node);
  }

  get isEmpty(): boolean {
    return this.problems.size === 0 && this.faults.size === 0;
  }

  /** The problems that count, by node number; a fault without a field is reported on `inputs`. */
  counted(
    stands: (node: number, standing: Standing) => boolean,
    fieldsOfFaults: ReadonlyMap<number, string>,
  ): Map<number, NodeProblem[]> {
    const counted = new Map<number, NodeProblem[]>();
    for (const [node, logged] of this.problems) {
      const kept = logged
        .filter(({ standing }) => stands(node, standing))
        .map(({ field, reason }) => ({ field, reason }));
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
