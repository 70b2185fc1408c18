{{/* Peers and ports of network policies. */}}

{{/* Pods of components of this release. Arguments: root, components. */}}
{{- define "heddle.peers" -}}
{{- range .components }}
- podSelector:
    matchLabels: {{ include "heddle.selector" (dict "root" $.root "component" .) | nindent 6 }}
{{- end }}
{{- end }}

{{- define "heddle.tcp" -}}
ports:
  {{- range . }}
  - { protocol: TCP, port: {{ . }} }
  {{- end }}
{{- end }}

{{/* A way out to servers: the listed destinations, or any address on the ports. Arguments: listed, ports. */}}
{{- define "heddle.wayOut" -}}
{{- range .listed }}
- to: [{{ toJson .to }}]
  {{- include "heddle.tcp" .ports | nindent 2 }}
{{- end }}
{{- if not .listed }}
- {{ include "heddle.tcp" .ports | nindent 2 | trim }}
{{- end }}
{{- end }}

{{/* The port of a URL, or the port that its scheme implies. */}}
{{- define "heddle.port" -}}
{{- $url := urlParse . }}
{{- default (ternary "443" "80" (eq $url.scheme "https")) (regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host)) }}
{{- end }}

{{/* DNS, wherever the cluster has it. */}}
{{- define "heddle.nameLookup" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}
