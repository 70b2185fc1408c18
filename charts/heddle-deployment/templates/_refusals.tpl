{{/* Values that cannot work: see the chart heddle. */}}
{{- define "deployment.refusals" -}}
{{- $found := list }}
{{- range $name := list "deployment.refuse.identity" "heddle.refuse.calls" "deployment.refuse.environment" "deployment.refuse.workers" }}
{{- range splitList "\n" (include $name $) }}
{{- with trim . }}{{ $found = append $found . }}{{ end }}
{{- end }}
{{- end }}
{{- with $found }}{{ fail (first .) }}{{ end }}
{{- end }}

{{- define "deployment.refuse.identity" -}}
{{- $v := .Values }}
{{- $label := $v.deployment.label }}
{{- if has $label (list "stg" "managed") }}
deployment.label: {{ $label }} is reserved; choose another label
{{- else if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" $label) }}
deployment.label: {{ $label | quote }} is not a DNS label; use 1 to 63 lower-case letters, digits and hyphens
{{- else if gt (len (include "deployment.series" .)) 63 }}
deployment.label: has {{ len $label }} characters, so the label of staging pods, {{ include "deployment.series" . }}, would have more than 63; use at most 59
{{- end }}
{{- range $name := list "release" "namespace" "host" }}
{{- if eq (get $v.platform $name) "" }}
platform.{{ $name }}: is empty; set the {{ $name }} of the chart heddle
{{- end }}
{{- end }}
{{- if eq $v.identity.existingSecret "" }}
identity.existingSecret: is empty; name the Secret with the worker-token of this deployment
{{- end }}
{{- range $path, $name := dict "identity.existingSecret" $v.identity.existingSecret "identity.tls.existingSecret" $v.identity.tls.existingSecret }}
{{- if and $name (not (regexMatch "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$" $name)) }}
{{ $path }}: is not the name of a Secret; put the secret into a Secret and give its name
{{- end }}
{{- end }}
{{- end }}

{{- define "deployment.refuse.environment" -}}
{{- $v := .Values }}
{{- $engine := $v.environment.engine.image }}
{{- $digest := "^sha256:[0-9a-f]{64}$" }}
{{- include "heddle.imageRefusals" (dict "path" "image" "image" $v.image) }}
{{- include "heddle.imageRefusals" (dict "path" "environment.engine.image" "image" $engine) }}
{{- if not (regexMatch $digest $v.image.digest) }}
image.digest: must be sha256: and 64 hexadecimal digits, so that the environment stays what it is
{{- end }}
{{- if and $engine.repository (not (regexMatch $digest $engine.digest)) }}
environment.engine.image.digest: must be sha256: and 64 hexadecimal digits, so that the environment stays what it is
{{- end }}
{{- include "heddle.resourceRefusals" (dict "path" "environment.engine.resources" "resources" $v.environment.engine.resources) }}
{{- if and (eq $engine.repository "") $engine.digest }}
environment.engine.image.repository: is empty, but environment.engine.image.digest is set; name the image
{{- end }}
{{- if eq $v.environment.revision "" }}
environment.revision: is empty; set the revision that heddle deployments show prints
{{- end }}
{{- if and (eq $engine.repository "") (or (ne $v.gpu.mode "none") $v.environment.modelVolume) }}
environment.engine.image.repository: is empty, but gpu.mode or environment.modelVolume is set; the built-in engine uses neither
{{- end }}
{{- end }}

{{- define "deployment.refuse.workers" -}}
{{- $v := .Values }}
{{- include "heddle.workerRefusals" (dict "workers" $v.workers "maxRuntime" $v.limits.maxRuntimeSeconds "builtin" (eq $v.environment.engine.image.repository "")) }}
{{- include "heddle.settingRefusals" (dict "root" . "settings" $v.settings "computed" (include "deployment.computed" . | fromYaml)) }}
{{- include "heddle.labelRefusals" (dict "path" "commonLabels" "map" $v.commonLabels) }}
{{- include "heddle.podRefusals" (dict "root" . "path" "workers" "pod" $v.workers "computed" (include "deployment.computed" . | fromYaml)) }}
{{- with $v.observability.otlpEndpoint }}
{{- if not (regexMatch "^https?://[^@/]+/?$" .) }}
observability.otlpEndpoint: must be a URL such as http://collector:4318, without a path or credentials
{{- end }}
{{- end }}
{{- end }}
