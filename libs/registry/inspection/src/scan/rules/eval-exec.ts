import type { CodeRule } from '../code-rule.js';
import { executedBy } from '../executed-code.js';

export const evalExec: CodeRule = {
  type: 'eval-exec',
  message: 'Runs text as code. Use ast.literal_eval for values, and a function for everything else.',
  *find(source) {
    for (const call of source.calls) {
      if (executedBy(source, call) !== undefined) yield { from: call.node.startIndex };
    }
  },
};
