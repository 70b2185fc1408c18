{{/* Secret files of a container: items secret, key, path below /etc/heddle/secrets, and the setting that names the file. */}}

{{- define "heddle.filesVolume" -}}
{{- with . }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secret }}
          items: [{ key: {{ .key }}, path: {{ .path }} }]
      {{- end }}
{{- end }}
{{- end }}

{{- define "heddle.filesMount" -}}
{{- with . }}
- { name: secrets, mountPath: /etc/heddle/secrets, readOnly: true }
{{- end }}
{{- end }}

{{- define "heddle.fileEnvironment" -}}
{{- range . }}
- { name: {{ .setting }}, value: /etc/heddle/secrets/{{ .path }} }
{{- end }}
{{- end }}

{{/* Settings that name files of the chart, as computed settings without a value of their own. */}}
{{- define "heddle.fileSettings" -}}
{{- range $name := list "KEY_PEPPER" "CREDENTIAL_KEYS" "SIGNED_URL_KEYS" "REGISTRY_SIGNING_KEYS" "SERVICE_PUBLIC_KEY" "SERVICE_TOKEN_FILE" "CALLS_TLS_CERT" "CALLS_TLS_KEY" "CALLS_TLS_CA" "KAFKA_TLS_CA" "KAFKA_TLS_CERT" "KAFKA_TLS_KEY" "KAFKA_SASL_USERNAME" "PROXY_PRICES" "REGISTRY_RESERVED" "MODERATION_HASHES" }}
HEDDLE_{{ $name }}: ""
{{- end }}
{{- end }}
