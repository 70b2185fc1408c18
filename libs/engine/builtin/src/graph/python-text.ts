import type { PythonJson } from '../values/value.js';

/** Python's `json.dumps`: separators ", " and ": ", non-ASCII characters escaped if `ascii`, and `indent` as in Python. */
export function pythonJson(value: PythonJson, indent = 0, level = 0, ascii = true): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return jsonFloat(value);
  if (typeof value === 'string') return ascii ? asciiString(value) : JSON.stringify(value);
  const parts: string[] = [];
  const list = Array.isArray(value);
  if (value instanceof Map) {
    for (const [key, member] of value) {
      parts.push(
        `${ascii ? asciiString(String(key)) : JSON.stringify(key)}: ${pythonJson(member as PythonJson, indent, level + 1, ascii)}`,
      );
    }
  } else if (list) {
    for (const item of value) parts.push(pythonJson(item as PythonJson, indent, level + 1, ascii));
  }
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  if (indent === 0 || parts.length === 0) return open + parts.join(', ') + close;
  const inner = '\n' + ' '.repeat(indent * (level + 1));
  return open + inner + parts.join(',' + inner) + '\n' + ' '.repeat(indent * level) + close;
}

/** Python's `str()` of a JSON value. */
export function pythonStr(value: PythonJson): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Python's `repr()` of a JSON value. */
export function pythonRepr(value: PythonJson): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return pythonFloat(value);
  if (typeof value === 'string') return reprString(value);
  if (value instanceof Map) {
    const members = [...value].map(
      ([key, member]) => `${reprString(String(key))}: ${pythonRepr(member as PythonJson)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return `[${(value as readonly PythonJson[]).map(pythonRepr).join(', ')}]`;
}

/** Python's shortest text of a float: `1.0`, `1e+16`, `1e-05`. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const digits = Math.abs(exponent).toString().padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const plain = exponent < 0 ? value.toFixed(Math.max(0, mantissaDecimals(mantissa) - exponent)) : value.toString();
  return plain.includes('.') ? plain : `${plain}.0`;
}

function mantissaDecimals(mantissa: string): number {
  const point = mantissa.indexOf('.');
  return point < 0 ? 0 : mantissa.length - point - 1;
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return pythonFloat(value);
}

function asciiString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\'"\u0000-\u001f\u007f-\u00a0\u00ad]/g, (char) => {
    if (char === '\\') return '\\\\';
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    if (char === '\n') return '\\n';
    if (char === '\r') return '\\r';
    if (char === '\t') return '\\t';
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return quote + escaped + quote;
}
