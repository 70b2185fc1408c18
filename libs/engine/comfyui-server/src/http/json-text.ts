/** JSON text sent unchanged: a graph keeps its number forms and key order. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Values of an answer besides plain JSON: raw text, and integers beyond double precision. */
export type Answerable =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Answerable[]
  | { readonly [key: string]: Answerable | undefined };

/** The JSON text of a value; undefined members are omitted. */
export function jsonText(value: Answerable): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item as Answerable)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members: string[] = [];
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}: ${jsonText(member as Answerable)}`);
    }
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}
