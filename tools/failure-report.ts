import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Something that failed, and what it said, in the lines in which the closing list shows it. */
export interface Failure {
  readonly name: string;
  readonly lines: readonly string[];
}

/** What one spec file came to. */
export interface ModuleReport {
  /** Relative to the root. */
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** What one run of vitest came to. */
export interface RunReport {
  readonly passed: number;
  readonly skipped: number;
  /** Of all files, and outside of them. */
  readonly failures: readonly Failure[];
  readonly modules: readonly ModuleReport[];
  /** Errors that no test threw: whose they are is not known. */
  readonly outside: readonly Failure[];
}

/** Of an error, as much as fits into the part that vitest hands over. */
export interface TestError {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
}

const MESSAGE_LINES = 8;
const FRAMES = 4;
/** Of the closing list of a run; names are told beyond it, messages are not. */
const LINES_IN_ALL = 200;

/**
 * Leaves what failed in a file for whoever has started vitest. Its JSON report has neither the errors of hooks nor those
 * outside of tests.
 */
export class FailureReporter implements Reporter {
  readonly #path: string;
  readonly #root: string;

  constructor(path: string, root: string) {
    this.#path = path;
    this.#root = root;
  }

  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    const files = modules.map((module) => this.#file(module));
    const strays = outside.map((error) =>
      this.#failure(`outside of the tests${placeOf(error)}: ${error['type'] ?? 'error'}`, [error]),
    );
    const report: RunReport = {
      passed: files.reduce((count, file) => count + file.passed, 0),
      skipped: files.reduce((count, file) => count + file.skipped, 0),
      failures: [...files.flatMap((file) => file.failures), ...strays],
      modules: files,
      outside: strays,
    };
    writeFileSync(this.#path, JSON.stringify(report));
  }

  #file(module: TestModule): ModuleReport {
    const tests = [...module.children.allTests()];
    const of = (state: string): TestCase[] => tests.filter((test) => test.result().state === state);
    const [passed, failed] = [of('passed'), of('failed')];
    return {
      file: module.relativeModuleId,
      passed: passed.length,
      skipped: tests.length - passed.length - failed.length,
      failures: [
        ...failed.map((test) => this.#failure(`${module.relativeModuleId}: ${test.fullName}`, test.result().errors)),
        ...this.#brokenSuites(module),
      ],
    };
  }

  /** A file that cannot be loaded, and suites whose hooks throw. */
  #brokenSuites(module: TestModule): Failure[] {
    const file = module.relativeModuleId;
    const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
    const broken = suites.map((suite) => this.#failure(`${file}: ${suite.fullName}: its hooks failed`, suite.errors()));
    const errors = module.errors();
    return errors.length === 0 ? broken : [this.#failure(`${file}: the suite failed to run`, errors), ...broken];
  }

  #failure(name: string, errors: readonly TestError[] = []): Failure {
    return { name, lines: errors.flatMap((error) => linesOf(error, this.#root)) };
  }
}

/** What an error says: its message, and where in our own code it comes from. */
export function linesOf({ name = 'Error', message = '', stack = '' }: TestError, root: string): string[] {
  const text = stripVTControlCharacters(message).replaceAll(`${root}/`, '');
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node:internal|<anonymous>/.test(line))
    .map((line) => line.trim().replaceAll(`${root}/`, ''));
  const own = frames.filter((line) => !line.includes('node_modules'));
  const said = `${name}: ${text}`.split('\n');
  const cut = said.length > MESSAGE_LINES ? [...said.slice(0, MESSAGE_LINES - 1), '[...]'] : said;
  return [...cut, ...(own.length > 0 ? own : frames).slice(0, FRAMES)];
}

/** The closing list: every name, and under it what it said, as long as the lines last. */
export function closingList(failures: readonly Failure[]): string[] {
  let left = LINES_IN_ALL;
  return failures.flatMap(({ name, lines }) => {
    const shown = lines.slice(0, Math.max(0, left));
    left -= shown.length + 1;
    return [`  ${name}`, ...shown.map((line) => `      ${line}`)];
  });
}

/** The file and the test during which vitest saw it; others may have caused it. */
function placeOf(error: SerializedError): string {
  const [path, test] = [error['VITEST_TEST_PATH'], error['VITEST_TEST_NAME']].map((word) =>
    typeof word === 'string' ? word : '',
  );
  return [path, test].some((word) => word !== '') ? ` (during ${[path, test].filter(Boolean).join(', ')})` : '';
}
