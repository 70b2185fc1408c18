/** encodeURIComponent throws on lone surrogates. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** `attachment` with the last path segment, safe in a header and readable in any script (RFC 6266, RFC 8187). */
export function attachment(filePath: string): string {
  const name = fileNameOf(filePath);
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name.replace(LONE_SURROGATES, '_')).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Bytes of a name that fit, encoded twice, into the targets that stores and gateways take. */
const MAX_NAME_BYTES = 1_024;

/** The last path segment, for a URL: of a name that is too long, its beginning and its extension. */
export function shortFileName(filePath: string): string {
  const name = fileNameOf(filePath);
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = /\.[^.]{1,32}$/u.exec(name)?.[0] ?? '';
  let room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  let stem = '';
  for (const char of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(char);
    if (room < 0) break;
    stem += char;
  }
  return stem + extension;
}

function fileNameOf(filePath: string): string {
  return filePath.slice(filePath.lastIndexOf('/') + 1);
}
