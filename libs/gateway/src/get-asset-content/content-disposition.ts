/** encodeURIComponent throws on lone surrogates. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** `attachment` with the last path segment, safe in a header and readable in any script (RFC 6266, RFC 8187). */
export function attachment(filePath: string): string {
  const name = filePath.slice(filePath.lastIndexOf('/') + 1);
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name.replace(LONE_SURROGATES, '_')).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
