const SEQUENCE = /\u001b\[([0-9;]*)([A-Za-z])/y;

/** What a terminal shows after some text was written to it: enough of one for lines that are drawn over. */
export class Screen {
  private readonly lines: string[][] = [[]];
  private row = 0;
  private column = 0;

  write(text: string): void {
    for (let at = 0; at < text.length;) {
      SEQUENCE.lastIndex = at;
      const sequence = SEQUENCE.exec(text);
      if (sequence !== null) {
        this.obey(sequence[2] ?? '', Number(sequence[1] === '' ? 1 : sequence[1]));
        at += sequence[0].length;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      this.put(character);
      at += character.length;
    }
  }

  /** The lines as they stand, without blanks at their ends. */
  text(): string {
    return this.lines
      .map((line) => line.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  private put(character: string): void {
    if (character === '\r') this.column = 0;
    else if (character === '\n') {
      this.row += 1;
      this.column = 0;
      this.lines[this.row] ??= [];
    } else {
      const line = (this.lines[this.row] ??= []);
      while (line.length < this.column) line.push(' ');
      line[this.column] = character;
      this.column += 1;
    }
  }

  /** Colours and everything unknown change nothing. */
  private obey(command: string, count: number): void {
    if (command === 'A') this.row = Math.max(0, this.row - count);
    if (command === 'K') this.lines[this.row] = [];
    if (command === 'J') {
      this.lines.length = this.row + 1;
      this.lines[this.row] = (this.lines[this.row] ?? []).slice(0, this.column);
    }
  }
}
