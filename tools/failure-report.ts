import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** A failure with its message, as lines of the closing list. */
export interface Failure {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Result of one spec file. */
export interface ModuleReport {
  /** Relative to the root. */
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** Result of one vitest run. */
export interface RunReport {
  readonly passed: number;
  readonly skipped: number;
  /** Failures of all files and outside of them. */
  readonly failures: readonly Failure[];
  readonly modules: readonly ModuleReport[];
  /** Errors outside of tests, whose origin is unknown. */
  readonly outside: readonly Failure[];
}

/** The part of an error that vitest passes on. */
export interface TestError {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
}

const MESSAGE_LINES = 8;
const FRAMES = 4;
/** Maximum lines of the closing list; further failures are only named. */
const LINES_IN_ALL = 200;

/**
 * Writes a run's failures to a file for the process that started vitest. Vitest's JSON report lacks errors of hooks and
 * errors outside of tests.
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

  /** Files that cannot be loaded, and suites whose hooks throw. */
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

/** An error's message, and where in our code it comes from. */
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

/** The closing list: every failure by name, with its message while lines remain. */
export function closingList(failures: readonly Failure[]): string[] {
  let left = LINES_IN_ALL;
  return failures.flatMap(({ name, lines }) => {
    const shown = lines.slice(0, Math.max(0, left));
    left -= shown.length + 1;
    return [`  ${name}`, ...shown.map((line) => `      ${line}`)];
  });
}

/** The file and test during which vitest saw it; another may have caused it. */
function placeOf(error: SerializedError): string {
  const [path, test] = [error['VITEST_TEST_PATH'], error['VITEST_TEST_NAME']].map((word) =>
    typeof word === 'string' ? word : '',
  );
  return [path, test].some((word) => word !== '') ? ` (during ${[path, test].filter(Boolean).join(', ')})` : '';
}
