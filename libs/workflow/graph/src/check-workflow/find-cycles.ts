/** The links of a graph as compressed rows: node `i` depends on `sources[starts[i]] .. sources[starts[i + 1] - 1]`. */
export interface DependencyRows {
  readonly starts: ArrayLike<number>;
  readonly sources: ArrayLike<number>;
}

/** Result of a depth-first walk along dependencies. */
interface Reach {
  /** 1 for each visited node. */
  readonly met: Uint8Array;
  /** The visited nodes, each after its dependencies (if there is no cycle). */
  readonly order: readonly number[];
  readonly hasCycle: boolean;
}

/** Visits everything that the given nodes depend on, without recursion. */
export function reachFrom(from: readonly number[], rows: DependencyRows, nodes: number): Reach {
  const { starts, sources } = rows;
  const met = new Uint8Array(nodes);
  const open = new Uint8Array(nodes);
  const cursor = new Int32Array(nodes);
  const stack: number[] = [];
  const order: number[] = [];
  let hasCycle = false;
  for (const root of from) {
    if (met[root] === 1) continue;
    stack.push(root);
    met[root] = 1;
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      if (open[node] === 0) {
        open[node] = 1;
        cursor[node] = starts[node]!;
      }
      const at = cursor[node]!;
      if (at === starts[node + 1]!) {
        open[node] = 2;
        order.push(node);
        stack.pop();
        continue;
      }
      cursor[node] = at + 1;
      const next = sources[at]!;
      if (met[next] === 0) {
        met[next] = 1;
        stack.push(next);
      } else if (open[next] === 1) hasCycle = true;
    }
  }
  return { met, order, hasCycle };
}

/**
 * For each node on a cycle the number of its group (nodes that depend on one another), for all others -1. Tarjan's
 * strongly connected components, without recursion.
 */
export function cycleGroups(rows: DependencyRows, among: Uint8Array): Int32Array {
  const { starts, sources } = rows;
  const nodes = among.length;
  const groups = new Int32Array(nodes).fill(-1);
  const index = new Int32Array(nodes).fill(-1);
  const low = new Int32Array(nodes);
  const cursor = new Int32Array(nodes);
  const onPath = new Uint8Array(nodes);
  const path: number[] = [];
  const stack: number[] = [];
  let counter = 0;
  const enter = (node: number): void => {
    index[node] = low[node] = counter++;
    cursor[node] = starts[node]!;
    onPath[node] = 1;
    path.push(node);
    stack.push(node);
  };

  for (let root = 0; root < nodes; root++) {
    if (among[root] === 0 || index[root] !== -1) continue;
    enter(root);
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      if (cursor[node]! < starts[node + 1]!) {
        const next = sources[cursor[node]!++]!;
        if (index[next] === -1) enter(next);
        else if (onPath[next] === 1) low[node] = Math.min(low[node]!, index[next]!);
        continue;
      }
      stack.pop();
      const above = stack[stack.length - 1];
      if (above !== undefined) low[above] = Math.min(low[above]!, low[node]!);
      if (low[node] === index[node]) closeGroup(node);
    }
  }
  return groups;

  function closeGroup(head: number): void {
    let size = 0;
    let member: number;
    do {
      member = path.pop()!;
      onPath[member] = 0;
      groups[member] = head;
      size++;
    } while (member !== head);
    if (size === 1 && !dependsOnItself(head)) groups[head] = -1;
  }

  function dependsOnItself(node: number): boolean {
    for (let at = starts[node]!; at < starts[node + 1]!; at++) if (sources[at] === node) return true;
    return false;
  }
}
