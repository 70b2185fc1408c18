{{/* Edges of the platform. */}}

{{/* Components that a component calls, and the ports there. */}}
{{- define "heddle.edges" -}}
gateway: { validation: [calls], assets: [calls, bytes], jobs: [calls], logs: [calls]{{ ternary ", registry: [calls]" "" (eq .Values.surface "managed") }} }
validation: { registry: [calls]{{ ternary ", jobs: [calls]" "" (eq .Values.surface "managed") }} }
assets: { jobs: [calls] }
jobs: { jobs: [calls] }
logs: { jobs: [calls] }
{{- /* The ledger of tasks: self-hosted takes no credits. */}}
registry: {{ ternary "{ jobs: [calls] }" "{}" (eq .Values.surface "managed") }}
worker: {{ include "heddle.workerEdges" . }}
test: { gateway: [api] }
migrate: {}
{{- end }}

{{/* Servers outside that a component reaches. A component that is listed with kafka gets its settings and Secrets, too. */}}
{{- define "heddle.servers" -}}
{{- $accounts := ternary "database, " "" (eq .Values.surface "managed") }}
gateway: [{{ $accounts }}kafka]
validation: []
assets: [database, kafka, s3, moderation]
jobs: [database, kafka]
logs: [database, kafka]
registry: [database, kafka, s3, partners]
{{- /* Only to make the topics. */}}
migrate: [database{{ ternary ", kafka" "" .Values.migrations.topics }}]
worker: []
{{- /* It downloads the outputs of its job; on self-hosted the gateway answers them. */}}
test: [{{ ternary "" "links" (eq .Values.surface "self-hosted") }}]
{{- end }}

{{/* Ways out of a component, beside calls. Arguments: root, servers. */}}
{{- define "heddle.waysOut" -}}
{{- $egress := .root.Values.networkPolicy.egress }}
{{- $v := .root.Values }}
{{- if has "database" .servers }}{{ include "heddle.wayOut" (dict "listed" $egress.database "ports" (list 5432)) }}{{ end }}
{{- if has "kafka" .servers }}
{{- $ports := list }}
{{- range $v.kafka.brokers }}{{ $ports = append $ports (regexFind "[0-9]+$" . | int) }}{{ end }}
{{- include "heddle.wayOut" (dict "listed" $egress.kafka "ports" (uniq $ports)) }}
{{- end }}
{{- if has "s3" .servers }}{{ include "heddle.wayOut" (dict "listed" $egress.s3 "ports" (list (include "heddle.port" $v.s3.endpoint))) }}{{ end }}
{{- if has "links" .servers }}
{{- $own := empty $v.s3.publicEndpoint }}
{{- include "heddle.wayOut" (dict "listed" (ternary $egress.s3 list $own) "ports" (list (include "heddle.port" (ternary $v.s3.endpoint $v.s3.publicEndpoint $own)))) }}
{{- end }}
{{- if and (has "moderation" .servers) $egress.moderation }}{{ include "heddle.wayOut" (dict "listed" $egress.moderation "ports" (list)) }}{{ end }}
{{- if has "partners" .servers }}
{{- if $egress.partners }}{{ include "heddle.wayOut" (dict "listed" $egress.partners "ports" (list)) }}{{ else }}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16] }
  {{- include "heddle.tcp" (list 443) | nindent 2 }}
{{- end }}
{{- end }}
{{- with $v.observability.otlpEndpoint }}{{ include "heddle.wayOut" (dict "listed" $egress.otlp "ports" (list (include "heddle.port" .))) }}{{ end }}
{{ include "heddle.nameLookup" . }}
{{- end }}
