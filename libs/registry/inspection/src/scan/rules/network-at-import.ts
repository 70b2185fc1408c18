import type { CodeRule } from '../code-rule.js';
import { readsNetwork } from '../network-calls.js';

export const networkAtImport: CodeRule = {
  type: 'network-at-import',
  message: 'Uses the network while the package is imported. Move the call into the function that needs it.',
  *find(source) {
    for (const call of source.calls) {
      if (call.atImport && readsNetwork(call.name)) yield { from: call.node.startIndex };
    }
  },
};
