import { malformed } from './multipart-limits.js';
import type { MultipartRefusal } from './multipart-limits.js';

const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/;
const parameter = /[ \t]*;[ \t]*(?:([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*)))?/y;
const identityEncodings = new Set(['7bit', '8bit', 'binary']);

/** The name that a part's header block gives it (RFC 7578, 4.2). */
export function readPartHead(block: string): { readonly name: string } | MultipartRefusal {
  let disposition: string | null = null;
  for (const line of block.split('\r\n')) {
    const header = headerLine.exec(line);
    if (header === null) return malformed('a part has a malformed header');
    const name = header[1]!.toLowerCase();
    const value = header[2]!;
    if (name === 'content-disposition') {
      if (disposition !== null) return malformed('a part has more than one Content-Disposition');
      disposition = value;
    }
    if (name === 'content-transfer-encoding' && !identityEncodings.has(value.trim().toLowerCase())) {
      return malformed('parts are sent as they are: only the transfer encodings 7bit, 8bit and binary are accepted');
    }
  }
  if (disposition === null) return malformed('a part has no Content-Disposition');
  return readName(disposition);
}

/**
 * Some clients write file names with bare quotes in them, so nothing after `filename` is read once the name is known;
 * a name hidden in a file name has no effect.
 */
function readName(disposition: string): { readonly name: string } | MultipartRefusal {
  const type = /^[ \t]*form-data(?=[ \t;]|$)/i.exec(disposition);
  if (type === null) return malformed('the Content-Disposition of a part must be form-data');
  let name: string | null = null;
  parameter.lastIndex = type[0].length;
  while (parameter.lastIndex < disposition.trimEnd().length) {
    const found = parameter.exec(disposition);
    if (found === null) return malformed('a part has a malformed Content-Disposition');
    const key = found[1]?.toLowerCase();
    if (key === 'filename' && name !== null) break;
    if (key !== 'name') continue;
    if (name !== null) return malformed('a part has more than one name');
    name = found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '';
  }
  return name === null || name === '' ? malformed('a part has no name') : { name };
}
