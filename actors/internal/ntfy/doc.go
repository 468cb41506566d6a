// Package ntfy is the actor that asks for messages of ntfy topics when a prompt is sent.
package ntfy
