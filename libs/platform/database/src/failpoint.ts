const registered = new Set<string>();
let plan: Map<string, number> | null | undefined;

/** Names the points of a library at which a crash test may end the process; call it where the points are. */
export function registerFailpoints(names: readonly string[]): void {
  for (const name of names) registered.add(name);
}

/** All points of the libraries that this process has loaded: a crash test kills at each of them. */
export function registeredFailpoints(): readonly string[] {
  return [...registered].sort();
}

/**
 * Does nothing, unless HEDDLE_FAILPOINTS plans a crash here: `name=kill@2,other=kill@1` ends the process with SIGKILL
 * when `name` is passed for the second time. A name that nobody registered is a mistake, and is thrown as one.
 */
export function failpoint(name: string): void {
  if (plan === undefined) plan = readPlan(process.env['HEDDLE_FAILPOINTS'] ?? '');
  if (plan === null) return;
  if (!registered.has(name)) throw new Error(`The failpoint ${name} is not registered.`);
  const left = plan.get(name);
  if (left === undefined) return;
  plan.set(name, left - 1);
  if (left > 1) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal of a process to itself may arrive a moment later: nothing may happen in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}

function readPlan(text: string): Map<string, number> | null {
  if (text === '') return null;
  return new Map(
    text.split(',').map((entry) => {
      const form = /^([^=]+)=kill@([1-9][0-9]*)$/.exec(entry.trim());
      if (form === null) throw new Error(`HEDDLE_FAILPOINTS holds ${entry}, expected name=kill@n.`);
      return [form[1]!, Number(form[2])] as const;
    }),
  );
}
