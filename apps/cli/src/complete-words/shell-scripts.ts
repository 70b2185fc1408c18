import { COMMON_OPTIONS } from '../command-line/command.js';
import type { Command } from '../command-line/command.js';

/** Words that may follow a prefix: `''` is the start, `assets` a group, `assets upload` a command. */
function followers(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const names = commands.map(({ name }) => name.split(' '));
  const map = new Map<string, string[]>([['', [...new Set(names.map(([first = '']) => first)), 'help']]]);
  for (const [group = '', word] of names) if (word !== undefined) map.set(group, [...(map.get(group) ?? []), word]);
  return map;
}

function optionsOf({ options, raw }: Command): string[] {
  return raw === true ? ['--help'] : Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`);
}

/** File names complete if nothing else matches. */
export function bashCompletion(commands: readonly Command[]): string {
  const cases = [
    ...[...followers(commands)].map(([prefix, words]) => `    "${prefix}") words="${words.join(' ')}" ;;`),
    ...commands.map((command) => `    "${command.name}"*) options="${optionsOf(command).join(' ')}" ;;`),
  ];
  return [
    '# bash completion of heddle; load it with: source <(heddle completion bash)',
    '_heddle() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} said="" words="" options="--help --version --json --url" word',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case $word in -*) ;; *) said="${said:+$said }$word" ;; esac',
    '  done',
    '  [[ $said == help || $said == help\\ * ]] && { said=${said#help}; said=${said# }; }',
    '  case $said in',
    ...cases.slice(0, followers(commands).size),
    '  esac',
    '  case $said in',
    ...cases.slice(followers(commands).size),
    '  esac',
    '  if [[ $current == -* ]]; then words=$options; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _heddle heddle',
  ].join('\n');
}

export function zshCompletion(commands: readonly Command[]): string {
  return [
    '# zsh completion of heddle; load it with: source <(heddle completion zsh)',
    'autoload -U +X compinit && compinit -u',
    'autoload -U +X bashcompinit && bashcompinit',
    bashCompletion(commands),
  ].join('\n');
}

export function fishCompletion(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const seen = (name: string): string =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const lines = [...followers(commands)].flatMap(([prefix, words]) => {
    const when =
      prefix === ''
        ? '__fish_use_subcommand'
        : `${seen(prefix)}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
    return words.map((word) => `complete -c heddle -f -n ${quoted(when)} -a ${word}`);
  });
  const options = commands.flatMap((command) =>
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { value, meaning }]) =>
        `complete -c heddle -n ${quoted(seen(command.name))} -l ${name}${value === null ? '' : ' -r'} -d ${quoted(meaning)}`,
    ),
  );
  return ['# fish completion of heddle', ...lines, ...options].join('\n');
}
