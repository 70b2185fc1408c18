const registered = new Set<string>();
let plan: Map<string, number> | null | undefined;

/** Declares the points of a library where a crash test may end the process; call it in the file that contains them. */
export function registerFailpoints(names: readonly string[]): void {
  for (const name of names) registered.add(name);
}

/** All points of the loaded libraries: a crash test kills at each of them. */
export function registeredFailpoints(): readonly string[] {
  return [...registered].sort();
}

/**
 * Does nothing unless HEDDLE_FAILPOINTS plans a crash here: `name=kill@2,other=kill@1` sends SIGKILL to the process
 * when it passes `name` for the second time. Throws for an unregistered name.
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
  // A signal to oneself may arrive a moment later: nothing may run in between.
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
