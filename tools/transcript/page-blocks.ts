/** A fenced block of a page. */
export interface PageBlock {
  /** Line of the page on which its text begins. */
  readonly line: number;
  readonly language: string;
  /** Second word of the fence: the file of this name that a reader is asked to save. */
  readonly file: string | null;
  readonly text: string;
  /** Comment before it, `<!-- not run: REASON -->`. */
  readonly notRun: string | null;
  /** Comment before it, `<!-- needs: COMMAND -->`: it runs only on machines that have the command. */
  readonly needs: string | null;
  /** The `text` block right behind it: what a reader sees. */
  readonly output: string | null;
}

interface Fence extends Omit<PageBlock, 'output'> {
  /** Whether only blank lines stand between this block and the one before. */
  readonly follows: boolean;
}

const OPENING = /^( *)```([\w-]*)(?: +(\S+))?$/;
const NOT_RUN = /^ *<!-- not run: (.+) -->$/;
const NEEDS = /^ *<!-- needs: (\S+) -->$/;

/** What a reader may paste is `sh`; prompts cannot be pasted, so `console` is left to recorded transcripts. */
const NOT_PASTABLE: ReadonlySet<string> = new Set(['console', 'bash', 'shell', '']);
const RECORDED = /<!-- transcript: /;

export function blocksOf(page: string): PageBlock[] {
  const fences = fencesOf(page);
  return fences.map(({ follows: _, ...block }, at) => {
    const next = fences[at + 1];
    const output = block.language === 'sh' && next?.language === 'text' && next.follows ? next.text : null;
    return { ...block, output };
  });
}

/** Blocks that a reader cannot paste and that nothing marks. */
export function unmarkedBlocks(page: string): string[] {
  const recorded = page.split('\n').findIndex((line) => RECORDED.test(line));
  return blocksOf(page)
    .filter(({ language, line }) => NOT_PASTABLE.has(language) && !(recorded >= 0 && line === recorded + 4))
    .map(({ line, language }) => `line ${line}: a block of commands is \`sh\` without prompts, not "${language}"`);
}

function fencesOf(page: string): Fence[] {
  const lines = page.split('\n');
  const fences: Fence[] = [];
  let comments: string[] = [];
  let follows = false;
  for (let at = 0; at < lines.length; at++) {
    const opening = OPENING.exec(lines[at] ?? '');
    if (opening === null) {
      const line = lines[at] ?? '';
      const isComment = NOT_RUN.test(line) || NEEDS.test(line);
      if (isComment) comments.push(line);
      else if (line.trim() !== '') [comments, follows] = [[], false];
      continue;
    }
    const [, indent = '', language = '', file = null] = opening;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end < 0) throw new Error(`the block of line ${at + 1} has no end`);
    const text = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const marked = (pattern: RegExp): string | null =>
      comments.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
    fences.push({
      line: at + 2,
      language,
      file,
      text: text.join('\n'),
      notRun: marked(NOT_RUN),
      needs: marked(NEEDS),
      follows,
    });
    [comments, follows, at] = [[], true, end];
  }
  return fences;
}
