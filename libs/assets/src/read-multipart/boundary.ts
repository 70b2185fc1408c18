import { malformed } from './multipart-limits.js';
import type { MultipartRefusal } from './multipart-limits.js';

/** RFC 2046, 5.1.1: 1 to 70 of these; the last one must not be a space. */
const boundaryForm = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const parameter = /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*)))?/y;

/** The boundary that the request's Content-Type declares. */
export function readBoundary(contentType: string | undefined): { readonly boundary: string } | MultipartRefusal {
  const type = /^[ \t]*multipart\/form-data(?=[ \t;]|$)/i.exec(contentType ?? '');
  if (contentType === undefined || type === null) return malformed('the request must be multipart/form-data');
  let boundary: string | null = null;
  parameter.lastIndex = type[0].length;
  while (parameter.lastIndex < contentType.trimEnd().length) {
    const found = parameter.exec(contentType);
    if (found === null) return malformed('the Content-Type header is malformed');
    if (found[1]?.toLowerCase() !== 'boundary') continue;
    if (boundary !== null) return malformed('the Content-Type header declares more than one boundary');
    boundary = found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '';
  }
  if (boundary === null) return malformed('the Content-Type header declares no boundary');
  if (!boundaryForm.test(boundary)) return malformed('the boundary must be 1 to 70 characters of RFC 2046');
  return { boundary };
}
