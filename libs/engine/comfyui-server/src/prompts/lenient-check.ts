import type { CheckedPrompt, PromptVerdict } from './prompt-check.js';

/** Accepts every graph of nodes; its outputs are the nodes that no link uses. For test engines. */
export function lenientCheck({ text, targets }: CheckedPrompt): PromptVerdict {
  const graph: unknown = JSON.parse(text.toString('utf8'));
  if (typeof graph !== 'object' || graph === null) return { kind: 'raised' };
  const used = new Set<string>();
  for (const node of Object.values(graph)) {
    const inputs: unknown = typeof node === 'object' && node !== null && 'inputs' in node ? node.inputs : null;
    for (const value of Object.values(inputs ?? {})) if (Array.isArray(value)) used.add(String(value[0]));
  }
  const outputs = Object.keys(graph).filter((id) => !used.has(id) && (targets === null || targets.includes(id)));
  if (outputs.length > 0) return { kind: 'accepted', outputs, nodeErrors: {} };
  const error = { type: 'prompt_no_outputs', message: 'Prompt has no outputs', details: '', extra_info: {} };
  return { kind: 'refused', error, nodeErrors: {} };
}
