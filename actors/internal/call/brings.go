package call

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/private"
	"marvin/messages"
	"marvin/tools"
)

// This file records where the result of a call comes from, and marks untrusted text.

// provenance describes the result of a call.
type provenance struct {
	empty     bool     // the call succeeded without a result
	summary   string   // one line for the user
	job       string   // the job that continues the call
	exit      int      // the exit code of the program that the call ran, if the program failed
	strangers bool     // outsiders wrote the result, whatever the tool declares
	own       bool     // the result is neither private nor untrusted, whatever the tool declares
	overheard []string // private directories that the call might have read
}

// note fills in the fields that describe a tool's output.
func (i *provenance) note(output tools.Output) {
	i.empty = output.Empty && len(output.Pictures) == 0
	i.exit, i.job, i.summary = output.Exit, output.Job, output.Summary
	i.strangers, i.own = output.Strangers, output.Own
}

// overhear remembers the private directories that the call's output or arguments mention. Unless
// the call runs a command, which can read any directory, only directories below the call's places
// are remembered.
func (i *provenance) overhear(rules private.Rules, command bool, places []tools.Place, text string, args json.RawMessage) {
	var paths []string
	for _, place := range places {
		if place.Path != "" {
			paths = append(paths, place.Path)
		}
	}
	if command {
		paths = append(paths, string(filepath.Separator))
	}
	i.overheard = append(i.overheard, rules.MentionedDirs(paths, text, string(args))...)
}

// origin returns the origin of a result. If the model called an unknown tool, tool is nil.
func (i *provenance) origin(tool *tools.Tool, status messages.Status, places []tools.Place) messages.Origin {
	if tool == nil || !ToolRan(status) {
		return messages.Origin{From: messages.FromMarvin}
	}
	origin := messages.Origin{From: messages.FromTool}
	switch {
	case i.own:
	case tool.Foreign(), i.strangers:
		origin.From = messages.FromStranger
	case tool.Untrusted():
		origin.From = messages.FromFile
	}
	for _, place := range places {
		if place.Path != "" {
			origin.Places = append(origin.Places, place.Path)
		}
	}
	origin.Places = append(origin.Places, i.overheard...)
	return origin
}

// recordAddresses records the addresses in a tool result. Later calls are allowed to visit the
// addresses that come from the network. Each visit to an address that comes from [tools.Messages]
// needs the user's consent. Replies from this machine do not count once the model has written a
// file or run a command.
func (w *worker) recordAddresses(tool *tools.Tool, status messages.Status, text string, to []tools.Destination) {
	switch {
	case tool == nil || !ToolRan(status):
	case tool.Brings == tools.Messages:
		w.Known.AddMessages(text)
	case tool.Networked() && !(w.Known.Changed() && onThisMachine(w.Config, to)):
		w.Known.AddResult(text, w.call.Args, to)
	}
}

// onThisMachine reports whether config.yaml maps one of the destinations to this machine. A server
// on this machine might return text that the model wrote.
func onThisMachine(config *conv.Setup, destinations []tools.Destination) bool {
	return slices.ContainsFunc(destinations, func(to tools.Destination) bool {
		host, _, _ := strings.Cut(to.Name, ":")
		return config.Local[to.Name] || config.Local[host]
	})
}

// framed encloses an untrusted result in a frame. Only the model sees the frame.
func (i *provenance) framed(tool *tools.Tool, status messages.Status, text string, destinations []tools.Destination) string {
	if tool == nil || i.own || !tool.Foreign() && !i.strangers || status != messages.OK {
		return text
	}
	source := ""
	for _, to := range destinations {
		source = tools.Visible(to.Address)
	}
	return messages.Frame(source[:min(len(source), 200)], text)
}

// cleaned shortens a result that is too long. It removes invisible characters from the result of a
// foreign tool. In other untrusted text, it leaves these characters and adds a note, because the
// model might write the text back to a file.
func (s *Situation) cleaned(name, text string) string {
	tool, known := s.Tools.Lookup(name)
	if known && tool.Foreign() {
		text = tools.Unhidden(text)
	}
	text, _ = tools.ResultLimits.Cut(text)
	if known && tool.Untrusted() && !tool.Foreign() {
		text = tools.NoteHidden(text)
	}
	return text
}
