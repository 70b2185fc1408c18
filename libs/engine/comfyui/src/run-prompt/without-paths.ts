/** Folders of an engine's own code: paths below them may be shown, their location may not. */
const KNOWN =
  /^.*?[/\\]((?:custom_nodes|comfy_extras|comfy_api_nodes|comfy_api|comfy_execution|comfy|site-packages)[/\\].*)$/;
const QUOTED_FILE = /(File |')("?)((?:[A-Za-z]:[\\/]|\/|\\\\)[^"'\n]+)(["'])/g;
const DOUBLE_QUOTED_FILE = /(File )"([^"\n]+)"/g;
const POSIX_PATH = /(?<![\w:/.<>-])\/(?:[\w.@+~-]+\/)+[\w.@+~-]*/g;
const WINDOWS_PATH = /(?<!\w)[A-Za-z]:[\\/](?:[^\\/:*?"<>|\n']+[\\/])*[^\\/:*?"<>|\n'\s]*/g;

/** An engine text without its machine's folders: `File "/opt/x/nodes.py"` becomes `File "nodes.py"`. */
export function withoutPaths(text: string): string {
  return text
    .replace(DOUBLE_QUOTED_FILE, (_, word: string, path: string) => `${word}"${shortPath(path)}"`)
    .replace(QUOTED_FILE, (whole: string, word: string, open: string, path: string, close: string) =>
      word === "'" && close === "'"
        ? `'${shortPath(path)}'`
        : whole.replace(`${open}${path}`, `${open}${shortPath(path)}`),
    )
    .replace(WINDOWS_PATH, shortPath)
    .replace(POSIX_PATH, shortPath);
}

function shortPath(path: string): string {
  const known = KNOWN.exec(path)?.[1];
  if (known !== undefined) return known.replaceAll('\\', '/');
  const isPath = path.includes('/') || path.includes('\\');
  if (!isPath) return path;
  const end = path.replace(/[/\\]+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1);
}
