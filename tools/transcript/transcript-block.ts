const BEGIN = '<!-- transcript: node tools/record-transcript.ts --write -->';
const END = '<!-- end of transcript -->';
const BLOCK = new RegExp(`${BEGIN}\\n+\`\`\`[a-z]*\\n([\\s\\S]*?)\\n\`\`\`\\n+${END}`);

/** The transcript that a page shows, or null where it has no place for one. */
export function transcriptOf(page: string): string | null {
  return BLOCK.exec(page)?.[1] ?? null;
}

export function withTranscript(page: string, transcript: string): string {
  if (!page.includes(BEGIN) || !page.includes(END))
    throw new Error(`the page has no place for a transcript: ${BEGIN} ... ${END}`);
  const before = page.slice(0, page.indexOf(BEGIN));
  const after = page.slice(page.indexOf(END));
  return `${before}${BEGIN}\n\n\`\`\`console\n${transcript}\n\`\`\`\n\n${after}`;
}
