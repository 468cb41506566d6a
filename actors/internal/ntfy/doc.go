// Package ntfy implements the actor that fetches messages from ntfy topics when a prompt is sent.
package ntfy
