import { pickEnvironment, systemWithoutTelemetry } from '@heddle/platform-telemetry/child-environment';

/** Go's variables by name: a prefix would admit other credentials, such as those of Google's clients. */
const OF_GO = new Set([
  ...[
    'GOROOT',
    'GOPATH',
    'GOBIN',
    'GOCACHE',
    'GOMODCACHE',
    'GOTMPDIR',
    'GOENV',
    'GOTOOLCHAIN',
    'GOFLAGS',
    'GOOS',
    'GOARCH',
  ],
  ...['GOPROXY', 'GONOPROXY', 'GOPRIVATE', 'GOSUMDB', 'GONOSUMDB', 'GONOSUMCHECK', 'GOINSECURE', 'GOVCS', 'GOAUTH'],
  ...['GO111MODULE', 'GOMAXPROCS', 'GOMEMLIMIT', 'GOGC', 'GODEBUG'],
]);
const TOOL_PREFIXES = ['JAVA_', 'JDK_', 'M2_', 'MAVEN_', 'MVNW_', 'XDG_'];

/**
 * The part of this process's environment for local servers and the tools that fetch and build them: no setting and no
 * secret of Heddle.
 */
export function toolEnvironment(): Record<string, string> {
  const isOfTool = (name: string): boolean =>
    OF_GO.has(name) || TOOL_PREFIXES.some((prefix) => name.startsWith(prefix));
  return { ...systemWithoutTelemetry(process.env), ...pickEnvironment(process.env, isOfTool) };
}
