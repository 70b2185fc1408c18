{{/* Arguments: root, settings, computed (names that the chart sets). */}}
{{- define "heddle.settingRefusals" -}}
{{- $known := .root.Files.Get "files/settings.yaml" | fromYaml }}
{{- range $name, $value := .settings }}
{{- $setting := default (get $known (trimSuffix "_FILE" $name)) (get $known $name) }}
{{- if and $setting $setting.secret }}
settings.{{ $name }}: is a secret; put it into the Secret that README.md names for it
{{- else if hasKey $.computed $name }}
settings.{{ $name }}: is set by the chart; remove it and use the value that stands for it
{{- else if not (get (default (dict) (get $known $name)) "readers") }}
settings.{{ $name }}: is not a setting that these pods read; remove it (docs/settings.md lists the settings)
{{- end }}
{{- end }}
{{- end }}

{{/* Arguments: path, environment. */}}
{{- define "heddle.environmentRefusals" -}}
{{- range $name, $value := .environment }}
{{- if hasPrefix "HEDDLE_" $name }}
{{ $.path }}.{{ $name }}: settings of Heddle belong in settings; move it there
{{- end }}
{{- end }}
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
