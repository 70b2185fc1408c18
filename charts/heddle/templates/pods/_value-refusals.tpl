{{/*
Where the value of a secret setting belongs: the key and the value that names the Secret. Arguments: name, setting (as in
files/settings.yaml).
*/}}
{{- define "heddle.secretPlace" -}}
{{- $name := .name | trimPrefix "HEDDLE_" | trimSuffix "_FILE" }}
{{- $auth := dict "STATIC_TOKEN" "static-token" "BOOTSTRAP_KEY" "bootstrap-key" "ADMIN_TOKEN" "admin-token" "MODERATION_URL" "moderation-url" }}
{{- $vendors := dict "VIDEOVENDOR_KEY" "videovendor-key" "IMAGEVENDOR_KEY" "imagevendor-key" "IMAGEVENDOR_WEBHOOK_SECRET" "imagevendor-webhook-secret" }}
{{- $others := dict "SERVICE_TOKEN" "<component>-token of identity.existingSecret" "DATABASE_URL" "<component>-url of database.existingSecret" "KAFKA_SASL_PASSWORD" "password of kafka.sasl.existingSecret" "S3_ACCESS_KEY" "access-key of s3.existingSecret" "S3_SECRET_KEY" "secret-key of s3.existingSecret" }}
{{- $isOfWorkers := eq (join "," .setting.readers) "worker" }}
{{- if hasKey $auth $name }}the key {{ get $auth $name }} of auth.existingSecret
{{- else if hasKey $vendors $name }}the key {{ get $vendors $name }} of vendors.existingSecret, or of auth.existingSecret if that is empty
{{- else if hasSuffix "_DATABASE_URL" $name }}the key {{ trimSuffix "_DATABASE_URL" $name | lower }}-url of database.existingSecret
{{- else if hasKey $others $name }}the key {{ get $others $name | replace "<component>" (ternary "worker" "<component>" $isOfWorkers) }}
{{- else }}the Secret that README.md names for it
{{- end }}
{{- end }}

{{/* Arguments: root, settings, computed (names that the chart sets). */}}
{{- define "heddle.settingRefusals" -}}
{{- $known := .root.Files.Get "files/settings.yaml" | fromYaml }}
{{- range $name, $value := .settings }}
{{- $fault := include "heddle.settingFault" (dict "name" $name "known" $known "computed" $.computed) }}
{{- if $fault }}
settings.{{ $name }}: {{ $fault }}
{{- else if regexMatch "://[^/?#,[:space:]]*@" (include "heddle.text" $value) }}
settings.{{ $name }}: holds a user or a password in a URL, and settings are not secret; remove them from the URL
{{- else }}
{{- include "heddle.numberRefusal" (dict "name" $name "value" $value "setting" (get $known $name)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Why a name cannot be in `settings`; empty: it can. Arguments: name, known, computed. */}}
{{- define "heddle.settingFault" -}}
{{- $setting := default (get .known (trimSuffix "_FILE" .name)) (get .known .name) }}
{{- if and $setting $setting.secret }}is a secret; put it into {{ include "heddle.secretPlace" (dict "name" .name "setting" $setting) }}
{{- else if hasKey .computed .name }}is set by the chart; remove it and use the value that stands for it
{{- else if not (get (default (dict) (get .known .name)) "readers") }}is not a setting that these pods read; remove it (docs/settings.md lists the settings)
{{- end }}
{{- end }}

{{/* A number as the services read it; an empty text stands for the default. Arguments: name, value, setting. */}}
{{- define "heddle.numberRefusal" -}}
{{- $text := include "heddle.text" .value }}
{{- $range := default .setting.number .setting.whole }}
{{- if and $range (ne $text "") }}
{{- $isNumber := regexMatch "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$" $text }}
{{- $number := float64 (ternary $text "0" $isNumber) }}
{{- $isWhole := or (not .setting.whole) (eq (floor $number) $number) }}
{{- if not (and $isNumber $isWhole (ge $number (float64 (index $range 0))) (le $number (float64 (index $range 1)))) }}
settings.{{ .name }}: must be a {{ ternary "whole number" "number" (hasKey .setting "whole") }} from {{ include "heddle.text" (index $range 0) }} to {{ include "heddle.text" (index $range 1) }}; change it, or remove it for the default
{{- end }}
{{- end }}
{{- end }}

{{/* Arguments: root, path, environment, computed. */}}
{{- define "heddle.environmentRefusals" -}}
{{- $known := .root.Files.Get "files/settings.yaml" | fromYaml }}
{{- range $name, $value := .environment }}
{{- if hasPrefix "HEDDLE_" $name }}
{{ $.path }}.{{ $name }}: {{ include "heddle.settingFault" (dict "name" $name "known" $known "computed" $.computed) | default "settings of Heddle belong in settings; move it there" }}
{{- end }}
{{- end }}
{{- end }}

{{/* Arguments: path, image. */}}
{{- define "heddle.imageRefusals" -}}
{{- $hasTag := hasKey .image "tag" }}
{{- if and .image.repository (not (regexMatch "^([A-Za-z0-9.-]+(:[0-9]+)?/)?[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*$" .image.repository)) }}
{{ .path }}.repository: must be a repository such as registry.example.com/heddle; {{ if $hasTag }}a tag belongs in {{ .path }}.tag, and {{ end }}a digest {{ ternary "" "belongs " $hasTag }}in {{ .path }}.digest
{{- end }}
{{- if and $hasTag .image.tag (not (regexMatch "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$" .image.tag)) }}
{{ .path }}.tag: is not a tag; use up to 128 letters, digits, dots, hyphens and underscores
{{- end }}
{{- end }}

{{/* Kubernetes takes no other name without a domain. Arguments: path, resources. */}}
{{- define "heddle.resourceRefusals" -}}
{{- range $kind := list "requests" "limits" }}
{{- range $name, $quantity := get $.resources $kind }}
{{- if not (regexMatch "^(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGT]i|[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$" $name) }}
{{ $.path }}.{{ $kind }}.{{ $name }}: is not a resource; use cpu, memory, ephemeral-storage, hugepages-2Mi, or a name with a domain such as nvidia.com/gpu
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Labels that selectors and peers of network policies read, and those of every object. Arguments: path, map. */}}
{{- define "heddle.labelRefusals" -}}
{{- range $name, $value := .map }}
{{- if or (has $name (list "helm.sh/chart" "heddle.dev/deployment" "heddle.dev/revision")) (has (trimPrefix "app.kubernetes.io/" $name) (list "name" "instance" "component" "version" "managed-by" "part-of")) }}
{{- if contains "/" $name }}
{{ $.path }}.{{ $name }}: is set by the chart, which finds its pods by such labels; remove it, or choose another name
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Values that every pod has. Arguments: root, path, pod, computed. */}}
{{- define "heddle.podRefusals" -}}
{{- include "heddle.resourceRefusals" (dict "path" (printf "%s.resources" .path) "resources" .pod.resources) }}
{{- range $name := list "podLabels" "podAnnotations" }}
{{- include "heddle.labelRefusals" (dict "path" (printf "%s.%s" $.path $name) "map" (get $.pod $name)) }}
{{- end }}
{{- include "heddle.environmentRefusals" (dict "root" .root "path" (printf "%s.extraEnv" .path) "environment" .pod.extraEnv "computed" .computed) }}
{{- end }}

{{/* Calls carry service tokens and partner credentials. */}}
{{- define "heddle.refuse.calls" -}}
{{- $identity := .Values.identity }}
{{- if and (not $identity.plain) (eq $identity.tls.existingSecret "") }}
identity.tls.existingSecret: calls between services are not encrypted; name a Secret with a certificate, or set identity.plain to true if a mesh encrypts them
{{- else if and $identity.plain $identity.tls.existingSecret }}
identity.plain: is true, but identity.tls.existingSecret names a certificate; keep one of them
{{- end }}
{{- end }}
