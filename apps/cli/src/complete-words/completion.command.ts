import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { bashCompletion, fishCompletion, zshCompletion } from './shell-scripts.js';
import type { CompletedCommand } from './shell-scripts.js';

const SHELLS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
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
    isLocal: true,
    choices: Object.keys(SHELLS),
    options: {},
    examples: [
      'heddle completion fish > ~/.config/fish/completions/heddle.fish',
      'source <(heddle completion bash)',
      'source <(heddle completion zsh)',
    ],
    async run({ words: [shell, ...rest], terminal }) {
      const script = Object.hasOwn(SHELLS, shell ?? '') ? SHELLS[shell ?? ''] : undefined;
      if (script === undefined || rest.length > 0)
        throw wrongUsage(`completion takes a shell: ${Object.keys(SHELLS).join(', ')}`, 'heddle completion bash');
      const text = script(
        await Promise.all(
          commands().map(async (command) => Object.assign({ flagNames: (await command.flags?.()) ?? [] }, command)),
        ),
      );
      terminal.printJson({ shell, script: text });
      if (!terminal.json) terminal.print(text);
      return EXIT.done;
    },
  };
}
