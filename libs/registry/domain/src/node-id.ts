const FORM = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?$/;
const PUBLISHER_FORM = /^[a-z][a-z0-9-]{1,63}$/;

/** Whether a text can be the id of a node (registry decisions, Node id). */
export function isNodeId(text: string): boolean {
  return FORM.test(text);
}

/** Whether a text can be the id of a publisher; reserved ids have the form too. */
export function isPublisherId(text: string): boolean {
  return PUBLISHER_FORM.test(text);
}

/** Node ids are unique and looked up without regard to case. */
export function nodeKey(id: string): string {
  return id.toLowerCase();
}

/** What is left of an id once letters and separators that look alike are one: two nodes never share it. */
export function skeletonOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[_.-]+/g, '-')
    .replaceAll('0', 'o')
    .replace(/[1l]/g, 'i');
}

/** A folder that holds one repository on its own: the query of a script, or of a folder for all, names the repository. */
const IS_ONE_REPOSITORY = /^\/[^/]+\/(?!.*\.cgi(?:\/|$)).*[^/]/;

/**
 * A repository as it is compared: without scheme, case, `.git` and last slash; null: none is given. Nor does what leads to the
 * same page make another one: `www.`, the port of http or https, a fragment, and a query behind owner and name.
 */
export function repositoryKey(url: string): string | null {
  const [, given = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(.*)$/s.exec(url.trim().toLowerCase()) ?? [];
  // As a URL of http: escapes, dots and names of hosts are then written in one way.
  const parsed = URL.parse(`http://${given}`);
  if (parsed === null) return given === '' ? null : given;
  const host = parsed.host.replace(/^www\.(?=.*\.)/, '').replace(/\.?(:443)?$/, '');
  const path = parsed.pathname
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
  return host + path + (IS_ONE_REPOSITORY.test(path) ? '' : parsed.search);
}
