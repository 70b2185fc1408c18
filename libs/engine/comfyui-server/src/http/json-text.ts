/** JSON text that is sent as it came: a graph keeps its number forms and the order of its keys. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** What an answer may hold besides plain JSON: raw text anywhere in it, and integers that no double can hold. */
export type Answerable =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Answerable[]
  | { readonly [key: string]: Answerable | undefined };

/** The JSON text of a value; members that are undefined are left out. */
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
