{{/* Names, labels and images of every object. */}}

{{- define "heddle.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "heddle.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-heddle" .Release.Name) (contains "heddle" .Release.Name) }}
{{- default $name .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* Arguments: root, component. */}}
{{- define "heddle.object" -}}
{{ include "heddle.fullname" .root }}-{{ .component }}
{{- end }}

{{- define "heddle.selector" -}}
app.kubernetes.io/name: {{ include "heddle.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "heddle.labels" -}}
{{ include "heddle.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: heddle
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Name and labels. Arguments: root, component, and `name` if the object has another one. */}}
{{- define "heddle.metadata" -}}
name: {{ default (include "heddle.object" .) .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "heddle.labels" . | nindent 2 }}
{{- end }}

{{/* Arguments: root, image. A digest wins over a tag; an empty tag is the version of the application. */}}
{{- define "heddle.image" -}}
{{- $repository := .image.repository }}
{{- with .root.Values.global.imageRegistry }}{{ $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}{{ end }}
{{- if .image.digest }}{{ $repository }}@{{ .image.digest }}
{{- else }}{{ $repository }}:{{ default .root.Chart.AppVersion .image.tag }}
{{- end }}
{{- end }}
