import type { CodeRule } from '../code-rule.js';
import { startsProcess } from '../process-calls.js';

export const subprocess: CodeRule = {
  type: 'subprocess',
  message: 'Starts another program. Nothing needs to be done if the package needs that program.',
  *find(source) {
    for (const call of source.calls) if (startsProcess(call)) yield { from: call.node.startIndex };
  },
};
