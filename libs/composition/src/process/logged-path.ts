const KEY_LIKE = /hdl_\w*/g;

/** The path of a request for a log line: without its query, and without a key that somebody put in place of an id. */
export function loggedPath(target: string): string {
  return target.split('?', 1)[0]!.replace(KEY_LIKE, 'hdl_…');
}
