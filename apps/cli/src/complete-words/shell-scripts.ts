import { COMMON_OPTIONS, offeredOptions } from '../command-line/command.js';
import type { Command } from '../command-line/command.js';

/** A command with what its flags are, if it does not parse its options. */
export interface CompletedCommand extends Command {
  readonly flagNames: readonly string[];
}

/** Words that may follow a prefix: `''` is the start, `assets` a group, `completion` a command with fixed words. */
function followers(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const names = commands.map(({ name }) => name.split(' '));
  const map = new Map<string, readonly string[]>([['', [...new Set(names.map(([first = '']) => first)), 'help']]]);
  for (const [group = '', word] of names) if (word !== undefined) map.set(group, [...(map.get(group) ?? []), word]);
  for (const { name, choices } of commands) if (choices !== undefined) map.set(name, choices);
  return map;
}

function flagsOf(command: CompletedCommand): readonly string[] {
  if (command.raw === true) return [...command.flagNames, '--help'];
  return Object.keys(offeredOptions(command)).map((name) => `--${name}`);
}

/** Options with fixed values, such as the states of a job. */
function choicesOf({ options }: Command): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(options).flatMap(([name, { choices }]) => (choices === undefined ? [] : [[name, choices]]));
}

/** Options before the command that are followed by a value. */
const LEADING = Object.keys(COMMON_OPTIONS).map((name) => `--${name}`);
const LEADING_VALUES = Object.entries(COMMON_OPTIONS).flatMap(([name, { value }]) =>
  value === null ? [] : `--${name}`,
);

/** File names complete if nothing else matches. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const after = [...followers(commands)].map(([prefix, words]) => `    "${prefix}") words="${words.join(' ')}" ;;`);
  const options = commands.map((command) => `    "${command.name}"*) options="${flagsOf(command).join(' ')}" ;;`);
  const values = commands.flatMap((command) =>
    choicesOf(command).map(
      ([name, choices]) =>
        `    ${casesOf(command)
          .map((said) => `${said}" --${name}"`)
          .join('|')}) words="${choices.join(' ')}" ;;`,
    ),
  );
  return [
    '# bash completion of heddle; load it with: source <(heddle completion bash)',
    '_heddle() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} said="" words="" word value=""',
    `  local options="${[...LEADING, '--version'].join(' ')}"`,
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    # bash splits a URL and --option=value at these.',
    '    case $word in :|=) value=1; continue ;; esac',
    '    if [[ -n $value ]]; then value=""; continue; fi',
    `    case $word in ${LEADING_VALUES.join('|')}) value=1 ;; -*) ;; *) said="\${said:+$said }$word" ;; esac`,
    '  done',
    '  [[ -n $value || $current == [:=] ]] && return',
    '  [[ $said == help || $said == help\\ * ]] && { said=${said#help}; said=${said# }; }',
    '  case $said in',
    ...after,
    '  esac',
    '  case $said in',
    ...options,
    '  esac',
    '  case "$said ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    '  esac',
    '  if [[ $current == -* ]]; then words=$options; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _heddle heddle',
  ].join('\n');
}

/** Patterns of what was said before an option; `jobs` alone is `jobs list`. */
function casesOf({ name }: Command): readonly string[] {
  return name === 'jobs list' ? [`"${name}"*`, '"jobs"'] : [`"${name}"*`];
}

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# zsh completion of heddle; load it with: source <(heddle completion zsh)',
    'autoload -U +X compinit && compinit -u',
    'autoload -U +X bashcompinit && bashcompinit',
    bashCompletion(commands),
  ].join('\n');
}

export function fishCompletion(commands: readonly CompletedCommand[]): string {
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
    Object.entries(offeredOptions(command)).map(([name, { value, meaning, choices }]) => {
      const values = choices === undefined ? '' : ` -f -a ${quoted(choices.join(' '))}`;
      return `complete -c heddle -n ${quoted(seen(command.name))} -l ${name}${value === null ? '' : ' -r'}${values} -d ${quoted(meaning)}`;
    }),
  );
  const flags = commands.flatMap(({ name, flagNames }) =>
    flagNames.map((flag) => `complete -c heddle -n ${quoted(seen(name))} -l ${flag.slice(2)} -r`),
  );
  return ['# fish completion of heddle', ...lines, ...options, ...flags].join('\n');
}
