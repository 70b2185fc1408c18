const KEY_LIKE = /hdl_\w*/g;

/** The path of a request for a log line: without its query, and without a key that somebody put in place of an id, escaped or not. */
export function loggedPath(target: string): string {
  const path = target.split('?', 1)[0]!;
  const plain = path.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return (plain.includes('hdl_') ? plain : path).replace(KEY_LIKE, 'hdl_…');
}
