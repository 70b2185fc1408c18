import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { bashCompletion, fishCompletion, zshCompletion } from './shell-scripts.js';

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The command table is read when the command runs, because it contains this command. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print a shell script that completes commands and options',
    words: 'bash|zsh|fish',
    options: {},
    examples: [
      'heddle completion fish > ~/.config/fish/completions/heddle.fish',
      'source <(heddle completion bash)',
      'source <(heddle completion zsh)',
    ],
    run({ words: [shell, ...rest], terminal }) {
      const script = Object.hasOwn(SHELLS, shell ?? '') ? SHELLS[shell ?? ''] : undefined;
      if (script === undefined || rest.length > 0)
        throw wrongUsage(`completion takes a shell: ${Object.keys(SHELLS).join(', ')}`, 'heddle completion bash');
      const text = script(commands().filter(({ hidden }) => hidden !== true));
      terminal.printJson({ shell, script: text });
      if (!terminal.json) terminal.print(text);
      return Promise.resolve(EXIT.done);
    },
  };
}
