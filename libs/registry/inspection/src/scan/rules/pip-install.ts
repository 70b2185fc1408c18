import type { CodeRule } from '../code-rule.js';
import { localTarget, processWrappers, startsProcess, wordsOf } from '../process-calls.js';

const PIP = /(^|[\\/])pip[\d.]*(\.exe)?$/;
const INSTALLERS =
  /(^|[\\/])(uv|conda|mamba|micromamba|poetry|pipenv|pipx|apt|apt-get|yum|dnf|apk|brew|choco|winget|npm)(\.exe|\.cmd)?$/;
const PIP_FUNCTIONS = /^pip\.(_internal\.)?(cli\.)?(main\.)?main$/;

/** Calls of pip and processes of pip and its like that install something. */
export const pipInstall: CodeRule = {
  type: 'pip-install',
  message:
    'Installs packages when it runs. Declare them as dependencies in pyproject.toml, so that those who install the package decide.',
  *find(source) {
    const wrappers = processWrappers(source);
    for (const call of source.calls) {
      const own = wrappers.get(localTarget(call));
      const isPip = PIP_FUNCTIONS.test(call.name);
      if (!isPip && own === undefined && !startsProcess(call) && call.name !== 'runpy.run_module') continue;
      const words = wordsOf(source, call);
      const whole = own === undefined ? words : new Set([...own, ...words]);
      // A wrapper that installs whatever it is given is found at its own process.
      if (own !== undefined && installs(own)) continue;
      if (installs(whole) || (isPip && (words.has('install') || words.size === 0)) || isPipModule(call.name, words)) {
        yield { from: call.node.startIndex };
      }
    }
  },
};

function installs(words: ReadonlySet<string>): boolean {
  const list = [...words];
  if (list.some((word) => /(^|[\\/])easy_install(\.exe)?$/.test(word))) return true;
  const tool = list.some((word) => PIP.test(word) || INSTALLERS.test(word));
  return tool && (words.has('install') || (words.has('uv') && (words.has('add') || words.has('sync'))));
}

function isPipModule(name: string, words: ReadonlySet<string>): boolean {
  return name === 'runpy.run_module' && words.has('pip');
}
