/** Values that differ between runs or machines, by key. */
const REPLACED: Readonly<Record<string, unknown>> = {
  timestamp: 'time',
  create_time: 'time',
  execution_start_time: 'time',
  execution_end_time: 'time',
  number: 'number',
  priority: 'number',
  traceback: 'traceback',
  // The recordings cut the text of tensors.
  current_inputs: 'inputs',
};
/** Lists that the engine orders by a hash table. */
const UNORDERED = new Set(['executed', 'current_outputs', 'outputs_to_execute']);

/** Normalises a value, so that equivalent values are equal. */
export function normalised(value: unknown, key = ''): unknown {
  if (Object.hasOwn(REPLACED, key) && value !== null) return REPLACED[key];
  if (typeof value === 'string') return normalisedText(value);
  if (Array.isArray(value)) {
    if (isPromptTuple(value)) return ['number', ...value.slice(1).map((item) => normalised(item))];
    const items = value.map((item) => normalised(item));
    return UNORDERED.has(key) ? items.sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('sha256' in value && 'bytes' in value) return 'binary';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalised(member, name)]));
}

/** File counters depend on the folder's content; random letters on chance. */
function normalisedText(text: string): string {
  return text
    .replace(/_\d{5}_\.png$/, '_N_.png')
    .replace(/^[0-9a-f]{32}$/, 'sid')
    .replace(/^ComfyUI_temp_[a-z]{5}_/, 'ComfyUI_temp_?_')
    .replace(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, (id) =>
      /^(?:0{8}|1{8}|2{8}|aaaaaaaa)-/.test(id) ? id : 'uuid',
    );
}

function isPromptTuple(value: readonly unknown[]): boolean {
  return value.length === 5 && typeof value[0] === 'number' && typeof value[1] === 'string' && Array.isArray(value[4]);
}
