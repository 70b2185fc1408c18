const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\r\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPE = /\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/g;

/** The value of the content of a string literal; `prefix` is what stands before its quotes, such as `r` or `rf`. */
export function decodeString(content: string, prefix: string): string {
  // Python reads every line end as \n.
  const text = content.includes('\r') ? content.replaceAll(/\r\n?/g, '\n') : content;
  if (/r/i.test(prefix) || !text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (whole, escape: string) => ESCAPES[escape] ?? codePoint(escape) ?? whole);
}

function codePoint(escape: string): string | undefined {
  const code = /^[0-7]/.test(escape) ? parseInt(escape, 8) : parseInt(escape.slice(1), 16);
  const isCode = /^(?:[0-7]|x.|u.|U.)/.test(escape) && escape.length > (/^[xuU]/.test(escape) ? 2 : 0);
  return isCode && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
