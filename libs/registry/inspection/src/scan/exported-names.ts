import { compiledBy, DecodedData, executedBy, isRunOrDecoder } from './executed-code.js';
import { GivenArguments } from './given-arguments.js';
import type { ExportedName, ExportedNames } from './package-names.js';
import type { PythonSource } from './python-source.js';

const MAX_NAMES = 2_000;
const MODULE = -1;

/** What the files that import a module must know of its names. */
export function exportedNames(source: PythonSource): ExportedNames {
  const names = new Map<string, ExportedName>();
  const decoded = new DecodedData(source);
  const running = functionsThatRun(source);
  for (const name of source.moduleNames()) {
    if (names.size >= MAX_NAMES) break;
    const values = source.valuesOf(name, MODULE);
    const stands = values.map((value) => source.nameOf(value, MODULE)).find(isRunOrDecoder) ?? '';
    const isDecoded = decoded.isInFunction(name) || values.some((value) => decoded.isIn(value, MODULE));
    const runs = running.has(name);
    if (stands !== '' || isDecoded || runs) names.set(name, { stands, isDecoded, runs });
  }
  for (const [name, fullName] of source.imports) {
    if (isRunOrDecoder(fullName)) names.set(name, { stands: fullName, isDecoded: false, runs: false });
  }
  return { names, imports: source.imports, stars: source.stars };
}

/** Functions with a parameter that `exec` or its like is given. */
function functionsThatRun(source: PythonSource): Set<string> {
  const found = new Set<string>();
  const given = new GivenArguments(source);
  for (const call of source.calls) {
    for (const arg of executedBy(source, call) ?? compiledBy(call) ?? []) {
      for (const leaf of source.leaves(arg)) {
        const place = leaf.type === 'identifier' ? given.functionOf(leaf.text, call.scope) : undefined;
        const name = place === undefined ? '' : (source.functions.get(place)?.name ?? '');
        if (name !== '') found.add(name);
      }
    }
  }
  return found;
}
