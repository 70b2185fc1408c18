import type { Node } from 'web-tree-sitter';
import { stringParts } from './constant-text.js';
import type { PythonCall, PythonSource } from './python-source.js';

const STARTS_PROCESS =
  /^(os\.(system|popen|startfile|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?)|subprocess\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|asyncio\.(create_subprocess_(exec|shell))|commands\.(getoutput|getstatusoutput)|pty\.spawn|pexpect\.(run|spawn))$/;

export function startsProcess(call: PythonCall): boolean {
  return STARTS_PROCESS.test(call.name);
}

const MAX_INDIRECT = 3;

/** The words of the strings in the arguments of a call, also of names that were given strings in the same scope. */
export function wordsOf(source: PythonSource, call: PythonCall): Set<string> {
  const words = new Set<string>();
  const seen = new Set<string>();
  const addText = (text: string): void => {
    for (const word of text.split(/[\s;&|()'"`]+/)) words.add(word);
  };
  const add = (node: Node, depth: number): void => {
    const whole = source.textOf(node);
    if (whole !== undefined) return addText(whole);
    for (const leaf of source.leaves(node)) {
      if (leaf.type === 'string') addText(stringParts(leaf).text);
      else if ((leaf.type === 'identifier' || leaf.type === 'attribute') && depth < MAX_INDIRECT) {
        const name = leaf.text;
        if (seen.has(name)) continue;
        seen.add(name);
        for (const value of source.valuesOf(name, call.scope)) add(value, depth + 1);
      }
    }
  };
  for (const arg of call.args) add(arg, 0);
  return words;
}

/**
 * The functions of a file that start a process with what they are given, with the words that they add themselves: a call of
 * `run_pip("install", name)` is as good as the command.
 */
export function processWrappers(source: PythonSource): Map<string, Set<string>> {
  const wrappers = new Map<string, Set<string>>();
  for (const call of source.calls) {
    const name = startsProcess(call) ? source.functions.get(call.scope)?.name : undefined;
    if (name === undefined || name === '') continue;
    wrappers.set(name, new Set([...(wrappers.get(name) ?? []), ...wordsOf(source, call)]));
  }
  return wrappers;
}

/** The function of the file that a call may reach: `run` of `run(…)`, `self.run(…)` and `cls.run(…)`. */
export function localTarget(call: PythonCall): string {
  return (
    /^(?:(?:self|cls)\.)?(\w+)$/.exec(call.node.childForFieldName('function')?.text.slice(0, 200) ?? '')?.[1] ?? ''
  );
}
