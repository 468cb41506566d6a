// Package ntfy implements the actor that fetches messages of ntfy topics when a prompt is sent.
package ntfy
