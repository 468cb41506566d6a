package material

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/persistence/projects"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// This file finds the instruction files of the user and the project. Consent to project files is
// handled in project.go.

// Found is the result of [Find].
type Found struct {
	written.Inventory
	Place        string // the user's answers are stored for this directory
	Instructions projects.Text
	OfProject    []File // the project's files
	problems     []error
}

// File is one file of the project.
type File struct {
	projects.Text        // the whole text, as the user sees it
	group         string // the directory that the file belongs to
	Marvins       string // "instructions" or "document" if only Marvin reads the file; else ""
	strict        bool   // the text changes Marvin's own rules; trust in the directory is not enough
	put           func(*prompt.Parts)
}

// Find finds the instruction files of the user and the project.
func Find(config *conv.Setup, conversation conv.LiveConversation, wanted Gathering) *Found {
	found := &Found{Inventory: config.Words.Find(written.Query{
		Dir: conversation.Dir, Home: config.Home.User, Config: config.Home.Words, Coding: conversation.Policy.Coding,
		Touched: wanted.Touched, Prompt: wanted.Prompt, Arrived: wanted.Told, Window: wanted.Window,
	})}
	found.problems = found.Problems
	if conversation.Dir == "" {
		return found
	}
	root := found.Root
	found.Place = root
	for _, file := range found.Files {
		if file.Own || !file.Used() && file.State != written.Waits {
			continue
		}
		group := root
		if file.Nested {
			group = filepath.Join(root, filepath.FromSlash(file.Dir))
		}
		found.OfProject = append(found.OfProject, File{
			Text: projects.Text{Path: file.Path, Text: file.Raw(), Name: file.Name, Sum: file.Hash()}, group: group, put: putWords(file),
			strict: file.Kind == written.System || file.Kind == written.Addition,
		})
	}
	found.addMarvinFiles(config, conversation.Dir)
	return found
}

// addMarvinFiles appends the files that only Marvin reads.
func (b *Found) addMarvinFiles(config *conv.Setup, dir string) {
	switched := func(text projects.Text, own bool) bool {
		file := written.File{Kind: written.Document, Name: text.Name, Path: text.Path, Own: own, From: "Marvin", State: written.SwitchedOff}
		said, off := b.SwitchedOffBy(&file, dir)
		if off {
			file.Why = fmt.Sprintf("by not_read: %q", said)
			b.Files = append(b.Files, file)
		}
		return off
	}
	add := func(marvins string, text projects.Text, put func(*prompt.Parts, prompt.Document)) {
		document := prompt.Document{Path: text.Path, Text: tools.Unhidden(text.Text)}
		if text.Name = path.Join(b.Below, text.Name); switched(text, false) {
			return
		}
		b.OfProject = append(b.OfProject, File{Text: text, group: b.Place, Marvins: marvins, put: func(parts *prompt.Parts) { put(parts, document) }})
	}
	instructions, err := projects.Instructions(config.Home, dir)
	b.note(err)
	if instructions.Name != "" {
		add("instructions", instructions, func(parts *prompt.Parts, document prompt.Document) { parts.Instructions = document })
	} else if own := instructions; own.Text != "" {
		if own.Name = own.Path; !switched(own, true) {
			b.Instructions = instructions
		}
	}
	documents, err := projects.ProjectDocuments(dir)
	b.note(err)
	for _, document := range documents {
		add("document", document, func(parts *prompt.Parts, document prompt.Document) {
			parts.Documents = append(slices.Clip(parts.Documents), document)
		})
	}
}

func (b *Found) note(err error) {
	if err != nil {
		b.problems = append(b.problems, err)
	}
}

// addUserFiles adds the user's files to the system text.
func (b *Found) addUserFiles(parts *prompt.Parts) {
	if b.Instructions.Text != "" {
		parts.Instructions = prompt.Document{Path: b.Instructions.Path, Text: b.Instructions.Text}
	}
	for _, file := range b.Files {
		if file.Own {
			putWords(file)(parts)
		}
	}
}

// include inserts the given project files into the system text.
func (b *Found) include(parts *prompt.Parts, files []File) {
	for _, file := range files {
		file.put(parts)
	}
}

// putWords returns a function that adds the file to the system text. If the file is a rule that
// does not apply yet, the function adds only the rule's description. The user approves such rules
// together with the other files, and needs to answer only one question.
func putWords(file written.File) func(*prompt.Parts) {
	return func(parts *prompt.Parts) {
		text := file.Text
		if !file.Own {
			text = tools.Unhidden(text)
		}
		switch {
		case file.Kind == written.Rule && file.State == written.Waits && file.Head.Description != "":
			parts.Rules = append(slices.Clip(parts.Rules), tools.Visible(file.Name+aboutFiles(file)+": "+strings.Join(strings.Fields(clipped(file.Head.Description)), " ")))
		case !file.Used():
		case file.Kind == written.Skill && !file.Head.Hidden:
			parts.Skills = append(slices.Clip(parts.Skills), FileLine(file))
		case file.Kind == written.Agent && parts.Coding && !parts.Agent:
			parts.Kinds = append(slices.Clip(parts.Kinds), FileLine(file))
		case file.Kind == written.System:
			parts.Base = prompt.Document{Path: file.Name, Text: text, Own: file.Own}
		case file.Kind == written.Addition:
			parts.Additions = append(slices.Clip(parts.Additions), prompt.Document{Path: file.Name, Text: text, Own: file.Own})
		case file.Kind == written.Sticky:
			parts.Sticky = strings.TrimSpace(parts.Sticky + "\n" + strings.TrimSpace(text))
		case file.Kind == written.Instructions, file.Kind == written.Rule:
			parts.Words = append(slices.Clip(parts.Words), prompt.Document{Path: file.Name, Text: text, Own: file.Own})
		}
	}
}

// FileLine returns the line that offers a file to the model.
func FileLine(file written.File) string {
	line := file.CallName()
	if file.Head.Description != "" {
		line += ": " + file.Head.Description
	}
	if file.Own {
		return line
	}
	return tools.Visible(tools.Unhidden(line))
}

func aboutFiles(file written.File) string {
	if len(file.Head.Globs) == 0 {
		return ""
	}
	return " (" + strings.Join(file.Head.Globs, ", ") + ")"
}

func clipped(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// documents returns the maximum size, in bytes, of each instruction file that is specific to
// Marvin.
func (b *Found) documents(window int) int {
	var sizes []int
	for _, file := range b.OfProject {
		if file.Marvins != "" {
			sizes = append(sizes, len(file.Text.Text))
		}
	}
	if own := b.Instructions.Text; own != "" {
		sizes = append(sizes, len(own))
	}
	return written.DocumentBytes(window, prompt.DocumentBytes, sizes)
}

// Room returns the number of tokens that remain in a context window after the tools, or 0 if the
// window is unknown. It multiplies the estimated size of the tools by 1.5. For a known window, the
// result is at least an eighth of the window.
func Room(window int, registry *toolbox.Registry, mode tools.Mode) int {
	if window == 0 {
		return 0
	}
	taken := 0
	for _, spec := range Describe(registry.Offer(mode, window), window).Specs {
		taken += (len(spec.Name) + len(spec.Doc) + len(spec.Schema)) / 4
	}
	return max(window/8, window-taken*3/2)
}
