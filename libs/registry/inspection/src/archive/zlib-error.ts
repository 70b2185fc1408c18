/** An error of zlib about the data: `Z_DATA_ERROR`, `Z_BUF_ERROR` and so on. */
export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
