import type { CodeRule } from '../code-rule.js';
import { compiledBy, DecodedData, executedAbroad, executedBy } from '../executed-code.js';

/** `exec`, `eval` and `compile` of data that nobody can read in the package. */
export const decodedExec: CodeRule = {
  type: 'decoded-exec',
  message: 'Runs code that is decoded or downloaded. Put the code itself in the package, as text that can be read.',
  *find(source) {
    const decoded = new DecodedData(source);
    let end = -1;
    for (const call of source.calls) {
      // `exec(compile(b64decode(…)))` is one finding.
      if (call.node.startIndex < end) continue;
      const code = executedBy(source, call) ?? compiledBy(call) ?? executedAbroad(source, call);
      if (code === undefined || !code.some((arg) => decoded.isIn(arg, call.scope))) continue;
      end = call.node.endIndex;
      yield { from: call.node.startIndex };
    }
  },
};
