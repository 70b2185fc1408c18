import { pickEnvironment, systemWithoutTelemetry } from '@heddle/platform-telemetry/child-environment';

/** Go's by their names: a prefix would admit the credentials of others, such as those of Google's clients. */
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

/** What servers and the tools that fetch and build them are given of this process's environment: no setting and no secret of Heddle. */
export function toolEnvironment(): Record<string, string> {
  const isOfTool = (name: string): boolean =>
    OF_GO.has(name) || TOOL_PREFIXES.some((prefix) => name.startsWith(prefix));
  return { ...systemWithoutTelemetry(process.env), ...pickEnvironment(process.env, isOfTool) };
}
