{{/* Name of the platform's objects, by the rule of the chart heddle. */}}
{{- define "deployment.platform" -}}
{{- $release := .Values.platform.release }}
{{- ternary $release (printf "%s-heddle" $release) (contains "heddle" $release) | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* The label of the deployment in metrics, and its first names in hosts. */}}
{{- define "deployment.series" -}}
{{ .Values.deployment.label }}{{ ternary ".stg" "" (eq .Values.deployment.stage "staging") }}
{{- end }}

{{/* Settings that the chart computes, by name. */}}
{{- define "deployment.computed" -}}
{{- $v := .Values }}
{{- $url := printf "%s://%s-%%s.%s.svc:%%d" (ternary "http" "https" $v.identity.plain) (include "deployment.platform" .) $v.platform.namespace }}
{{- $engine := $v.environment.engine }}
HEDDLE_LOG_LEVEL: {{ $v.observability.logLevel | quote }}
HEDDLE_OPS_HOST: "0.0.0.0"
HEDDLE_OPS_PORT: "9189"
HEDDLE_STOP_S: {{ sub (int64 $v.workers.graceSeconds) 5 | quote }}
HEDDLE_DRAIN_S: {{ sub (int64 $v.workers.graceSeconds) 15 | quote }}
HEDDLE_DATA: /var/lib/heddle
HEDDLE_WORK_URLS: {{ printf $url "jobs" 8390 }}
HEDDLE_ASSETS_URLS: {{ printf $url "assets" 8290 }}
HEDDLE_ASSETS_BYTES_URLS: {{ printf $url "assets" 8291 }}
HEDDLE_LOGS_URLS: {{ printf $url "logs" 8290 }}
HEDDLE_CALLS_PLAIN: {{ ternary "true" "" $v.identity.plain | quote }}
HEDDLE_ENGINE: {{ ternary "builtin" (printf "http://127.0.0.1:%d" (int64 $engine.port)) (eq $engine.image.repository "") | quote }}
HEDDLE_WORKERS: {{ include "heddle.text" $v.workers.slots | quote }}
HEDDLE_ENGINE_MEMORY_MB: {{ include "heddle.text" $v.workers.engineMemoryMb | quote }}
{{- include "heddle.fileSettings" . }}
{{- end }}

{{/* Secret files of the worker; the engine has none. */}}
{{- define "deployment.secretFiles" -}}
files:
  - { secret: {{ .Values.identity.existingSecret }}, key: worker-token, path: identity/token, setting: HEDDLE_SERVICE_TOKEN_FILE }
  {{- with .Values.identity.tls.existingSecret }}
  - { secret: {{ . }}, key: tls.crt, path: calls/tls.crt, setting: HEDDLE_CALLS_TLS_CERT }
  - { secret: {{ . }}, key: tls.key, path: calls/tls.key, setting: HEDDLE_CALLS_TLS_KEY }
  - { secret: {{ . }}, key: ca.crt, path: calls/ca.crt, setting: HEDDLE_CALLS_TLS_CA }
  {{- end }}
{{- end }}

{{/* All environment variables of the worker. */}}
{{- define "deployment.variables" -}}
{{- $set := dict }}
{{- range $name, $value := mergeOverwrite (include "deployment.computed" . | fromYaml) .Values.settings }}
{{- $text := include "heddle.text" $value }}
{{- if ne $text "" }}{{ $_ := set $set $name $text }}{{ end }}
{{- end }}
- { name: NODE_OPTIONS, value: --max-old-space-size-percentage=70 }
{{- with .Values.observability.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- include "heddle.environment" $set }}
{{- include "heddle.fileEnvironment" (include "deployment.secretFiles" . | fromYaml).files }}
{{- include "heddle.environment" .Values.workers.extraEnv }}
{{- end }}
