{{/*
Settings that the chart computes, by name. An empty value is not rendered, but its name stays refused in `settings`.
Arguments: root, component.
*/}}
{{- define "heddle.computed" -}}
{{- $v := .root.Values }}
{{- $full := include "heddle.fullname" .root }}
{{- $scheme := ternary "http" "https" $v.identity.plain }}
{{- $url := printf "%s://%s-%%s:8290" $scheme $full }}
{{- $managed := eq $v.surface "managed" }}
{{- $own := dict "preStopSeconds" 0 "stopSeconds" (sub (int64 $v.workers.graceSeconds) 5) }}
{{- if hasKey $v.services .component }}{{ $own = get $v.services .component }}{{ end }}
{{- $hosts := list }}
{{- $isRegistry := eq .component "registry" }}
{{- $host := ternary $v.hosts.registry $v.hosts.api $isRegistry }}
{{- with $host }}{{ $hosts = append $hosts . }}{{ end }}
{{- $service := printf "%s-%s" $full (ternary "registry-api" "gateway" $isRegistry) }}
{{- range $suffix := list "" (printf ".%s" .root.Release.Namespace) (printf ".%s.svc" .root.Release.Namespace) }}
{{- $hosts = append $hosts (print $service $suffix) }}
{{- end }}
HEDDLE_LOG_LEVEL: {{ $v.observability.logLevel | quote }}
HEDDLE_OPS_HOST: "0.0.0.0"
HEDDLE_OPS_PORT: "9189"
HEDDLE_STOP_S: {{ $own.stopSeconds | quote }}
HEDDLE_DRAIN_S: {{ sub (int64 $v.workers.graceSeconds) 15 | quote }}
HEDDLE_DATA: /var/lib/heddle
HEDDLE_HOST: "0.0.0.0"
HEDDLE_PORT: "8189"
HEDDLE_REGISTRY_PORT: "8189"
HEDDLE_SURFACE: {{ $v.surface }}
HEDDLE_DEPLOYMENT_HOST: {{ $v.hosts.deployments | quote }}
HEDDLE_MANAGED_HOSTS: {{ ternary (join "," $hosts) "" (and $managed (ne $host "")) | quote }}
HEDDLE_ALLOWED_HOSTS: {{ ternary "" (join "," $hosts) $managed | quote }}
{{- if $v.route.tls.secretName }}
HEDDLE_PUBLIC_SCHEME: https
{{- end }}
HEDDLE_REGISTRY_PUBLIC_URL: {{ with $v.hosts.registry }}{{ printf "%s://%s" (include "heddle.publicScheme" $) . }}{{ end }}
HEDDLE_VIDEOVENDOR_URL: {{ $v.vendors.video.url | quote }}
HEDDLE_VIDEOVENDOR_MODELS: {{ $v.vendors.video.models | quote }}
HEDDLE_IMAGEVENDOR_URL: {{ $v.vendors.image.url | quote }}
HEDDLE_REGISTRY_URLS: {{ ternary (printf $url "registry") "" $v.services.registry.enabled | quote }}
HEDDLE_JOBS_URLS: {{ ternary "" (printf $url "jobs") (and (has .component (list "validation" "registry")) (not $managed)) | quote }}
HEDDLE_ASSETS_URLS: {{ printf $url "assets" }}
HEDDLE_ASSETS_BYTES_URLS: {{ printf "%s://%s-assets:8291" $scheme $full }}
HEDDLE_VALIDATION_URLS: {{ printf $url "validation" }}
HEDDLE_LOGS_URLS: {{ printf $url "logs" }}
HEDDLE_WORK_URLS: {{ printf "%s://%s-jobs:8390" $scheme $full }}
HEDDLE_WORK_PORT: "8390"
HEDDLE_CALLS_HOST: "0.0.0.0"
HEDDLE_CALLS_PORT: "8290"
HEDDLE_BYTES_PORT: "8291"
HEDDLE_CALLS_ADDRESS: {{ ternary (printf "%s://$(POD_IP):8290" $scheme) "" (eq .component "jobs") | quote }}
HEDDLE_CALLS_PLAIN: {{ ternary "true" "" $v.identity.plain | quote }}
HEDDLE_CALLS_TLS_NAME: {{ ternary (printf "%s-jobs" $full) "" (and (eq .component "jobs") (not $v.identity.plain)) | quote }}
HEDDLE_SERVICE_TOKEN_AUDIENCE: required
HEDDLE_DATABASE_POOL: {{ include "heddle.text" $v.database.pool | quote }}
HEDDLE_KAFKA_BROKERS: {{ join "," $v.kafka.brokers | quote }}
HEDDLE_KAFKA_PREFIX: {{ $v.kafka.prefix | quote }}
HEDDLE_KAFKA_TLS: {{ ternary "true" "" $v.kafka.tls.enabled | quote }}
HEDDLE_KAFKA_SASL_MECHANISM: {{ ternary "" $v.kafka.sasl.mechanism (eq $v.kafka.sasl.mechanism "none") | quote }}
HEDDLE_KAFKA_PARTITIONS: {{ include "heddle.text" $v.kafka.partitions | quote }}
HEDDLE_KAFKA_REPLICATION: {{ include "heddle.text" $v.kafka.replication | quote }}
HEDDLE_KAFKA_RETENTION_S: {{ include "heddle.text" $v.kafka.retentionSeconds | quote }}
HEDDLE_S3_ENDPOINT: {{ $v.s3.endpoint | quote }}
HEDDLE_S3_PUBLIC_ENDPOINT: {{ $v.s3.publicEndpoint | quote }}
HEDDLE_S3_REGION: {{ $v.s3.region | quote }}
HEDDLE_S3_BUCKET: {{ $v.s3.bucket | quote }}
HEDDLE_S3_PATH_STYLE: {{ $v.s3.pathStyle | quote }}
HEDDLE_WORKERS: {{ include "heddle.text" $v.workers.slots | quote }}
HEDDLE_ENGINE_MEMORY_MB: {{ include "heddle.text" $v.workers.engineMemoryMb | quote }}
{{- include "heddle.limits" $v.limits }}
{{- include "heddle.fileSettings" . }}
{{- end }}

{{/* Scheme by which clients reach the hosts: a Gateway ends TLS on its own, and `settings` reports it. */}}
{{- define "heddle.publicScheme" -}}
{{- ternary "https" (get .root.Values.settings "HEDDLE_PUBLIC_SCHEME" | default "http") (ne .root.Values.route.tls.secretName "") }}
{{- end }}

{{/* Settings of the values `limits`. */}}
{{- define "heddle.limits" -}}
{{- $names := dict "uploadBytes" "UPLOAD_BYTES" "queueDepth" "QUEUE_DEPTH" "queueDepthAccount" "QUEUE_DEPTH_ACCOUNT" "maxRuntimeSeconds" "MAX_RUNTIME_S" "maxQueueWaitSeconds" "MAX_QUEUE_WAIT_S" "jobRetentionSeconds" "JOB_RETENTION_S" "streams" "STREAMS" "streamsAccount" "STREAMS_ACCOUNT" }}
{{- range $value, $name := $names }}
HEDDLE_{{ $name }}: {{ include "heddle.text" (get $ $value) | quote }}
{{- end }}
{{- end }}

{{/* The settings that this component reads: the computed ones, then those of `settings`. */}}
{{- define "heddle.settings" -}}
{{- $known := .root.Files.Get "files/settings.yaml" | fromYaml }}
{{- $read := dict }}
{{- range $name, $value := mergeOverwrite (include "heddle.computed" . | fromYaml) .root.Values.settings }}
{{- $text := include "heddle.text" $value }}
{{- $isRead := has $.component (get $known $name).readers }}
{{- if and $isRead (ne $text "") (or (include "heddle.usesKafka" $) (not (hasPrefix "HEDDLE_KAFKA_" $name))) }}{{ $_ := set $read $name $text }}{{ end }}
{{- end }}
{{- toYaml $read }}
{{- end }}

{{/* Not empty: the component connects to the brokers. */}}
{{- define "heddle.usesKafka" -}}
{{- if has "kafka" (get (include "heddle.servers" .root | fromYaml) .component) }}true{{ end }}
{{- end }}
