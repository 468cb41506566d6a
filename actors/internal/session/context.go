package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/material"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
	written "marvin/persistence/words"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// This file lists the contents of a conversation's context window, and items that were found but
// left out. It sends no requests.

// window is the input of [window.parts], copied from the session.
type window struct {
	config       *conv.Setup
	conversation conv.LiveConversation
	tools        *toolbox.Registry
	frame        prompt.Frame
	offered      []providers.ToolSpec
	committed    []messages.Message
	background   jobs.Client
}

func (w window) parts() []messages.ContextPart {
	conversation := w.conversation
	conversation.Policy.Persist = false
	began := w.frame.Began() && w.frame.Profile == conversation.Profile
	mode, words, whole := conversation.Policy.Mode(), w.frame.Window, w.config.QueryWindow(conversation.Choice)
	if !began {
		words = material.Room(whole, w.tools, mode)
	}
	ready := material.Gather(w.config, conversation, mode, material.Gathering{First: !began, Dry: true, Background: w.background, Told: w.frame.KnownInstructions(), Tools: w.tools, Window: words, Model: whole})
	sections := prompt.Sections(ready.Parts)
	if began {
		sections = w.frame.Sections()
	}
	meter := w.config.Tokens.MeterFor(conversation.Choice.Provider, conversation.Choice.Model)
	shown := map[string]bool{} // sections that contain files
	files := w.files(ready, meter, began, func(name string) (int, bool) {
		for _, section := range sections {
			if section.Name == name {
				shown[name] = true
				return meter.Text(section.Text), true
			}
		}
		return 0, false
	})
	shown[prompt.FactsSection] = true
	all := slices.Concat(system(sections, shown, meter), factParts(sections, meter.Text), files, w.toolParts(meter, whole), w.conversationParts(sections, meter))
	for i := range all {
		if all[i].Name = tools.Visible(all[i].Name); all[i].State == "" {
			all[i].State = string(written.Loaded)
		}
		all[i].Why = tools.Visible(all[i].Why)
	}
	return all
}

// system returns one part for each section that contains no files. The keys of shown are sections
// with files.
func system(sections []prompt.Section, shown map[string]bool, meter tokens.Meter) (parts []messages.ContextPart) {
	for _, section := range sections {
		if !shown[section.Name] && !strings.HasPrefix(section.Name, prompt.WordsSection) {
			parts = append(parts, messages.ContextPart{Kind: "system", Name: section.Name, Tokens: meter.Text(section.Text)})
		}
	}
	return parts
}

// files returns the parts for the files in ready.Found.
func (w window) files(ready material.Prepared, meter tokens.Meter, began bool, taken func(section string) (int, bool)) (parts []messages.ContextPart) {
	if ready.Found == nil {
		return nil
	}
	for _, file := range ready.Found.Files {
		part := messages.ContextPart{Kind: string(file.Kind), Name: cmp.Or(file.CallName(), file.Name), Path: file.Path, State: string(file.State), Why: file.Why}
		part.Why = strings.TrimPrefix(strings.Join(append([]string{part.Why}, notes(file)...), "; "), "; ")
		in := false
		switch {
		case file.Kind == written.Command:
			if in = true; file.Used() {
				part.State, part.Why = string(written.Waits), "until you type /"+file.CallName()
			}
		case file.Kind == written.Skill && file.Used() && !file.Head.Hidden:
			_, in = taken(prompt.SkillsSection)
			part.Tokens = meter.Text(material.FileLine(file))
		case file.Kind == written.Skill && file.Used():
			in, part.State, part.Why = true, string(written.Waits), "until you type /skill:"+file.CallName()
		case file.Kind == written.Agent && file.Used():
			_, in = taken(prompt.KindsSection)
			part.Tokens = meter.Text(material.FileLine(file))
		case file.Kind == written.System && file.Used():
			part.Tokens, in = taken(prompt.BaseSection + file.Name)
		case file.Kind == written.Addition && file.Used():
			part.Tokens, in = taken(prompt.AdditionSection + file.Name)
		case file.Kind == written.Sticky && file.Used():
			_, in = taken("short rules")
			part.Tokens = meter.Text(file.Text)
		default:
			part.Tokens, in = taken(prompt.WordsSection + file.Name)
		}
		w.setFileState(&part, ready, file.Name, file.Used(), in, began)
		parts = append(parts, part)
	}
	if own := ready.Found.Instructions; own.Text != "" {
		part := messages.ContextPart{Kind: string(written.Instructions), Name: own.Path, Path: own.Path}
		part.Tokens, _ = taken("project instructions")
		parts = append(parts, part)
	}
	for _, file := range ready.Found.OfProject {
		if file.Marvins == "" {
			continue
		}
		part := messages.ContextPart{Kind: "document", Name: file.Name, Path: file.Path, State: string(written.Loaded)}
		if most, whole := ready.Parts.MaxDocument, len(file.Text.Text); whole > most {
			part.State, part.Why = string(written.Shortened), fmt.Sprintf("to %d of %d bytes", most, whole)
		}
		in := false
		part.Tokens, in = taken("project document " + file.Path)
		if file.Marvins == "instructions" {
			part.Kind = string(written.Instructions)
			part.Tokens, in = taken("project instructions")
		}
		w.setFileState(&part, ready, file.Name, true, in, began)
		parts = append(parts, part)
	}
	return parts
}

func (w window) setFileState(part *messages.ContextPart, ready material.Prepared, name string, used, in, began bool) {
	if !used {
		return
	}
	at := slices.IndexFunc(ready.Others, func(file material.File) bool { return file.Name == name })
	asked := at >= 0
	switch {
	case asked && material.Refused(w.conversation.Trust, ready.Others[at].Hash()):
		part.State, part.Why, part.Tokens = string(written.LeftOut), "you refused its current version", 0
	case asked && material.Refused(w.conversation.Trust, ready.Found.Place):
		part.State, part.Why, part.Tokens = string(written.LeftOut), "you declined the files of this directory", 0
	case asked && !began:
		part.Why = strings.TrimSuffix("Marvin asks you before the model reads it; "+part.Why, "; ")
	case asked:
		part.State, part.Why, part.Tokens = string(written.Waits), "Marvin asks you about it when you send the next prompt", 0
	case began && !in && part.Kind == string(written.System):
		part.State, part.Why = string(written.Waits), "for the next conversation, because this one keeps the version it began with"
	case began && !in:
		part.State, part.Why = string(written.Waits), "it goes to the model with the next prompt"
	}
}

func notes(file written.File) (all []string) {
	if len(file.Imports) > 0 {
		all = append(all, "imports "+strings.Join(file.Imports, ", "))
	}
	if len(file.Omitted) > 0 {
		all = append(all, "not imported: "+strings.Join(file.Omitted, ", "))
	}
	if file.Head.Broken != "" {
		all = append(all, "its front matter is not valid YAML, so Marvin reads it line by line: "+file.Head.Broken)
	}
	if count := tools.CountHidden(file.Raw()); count > 0 && !file.Own {
		all = append(all, fmt.Sprintf("invisible characters removed: %d", count))
	}
	return all
}

// toolParts lists the tools in a request, and those that were left out because the context window
// is too small.
func (w window) toolParts(meter tokens.Meter, whole int) (parts []messages.ContextPart) {
	specs, mode := w.offered, w.conversation.Policy.Mode()
	if specs == nil {
		specs = material.Describe(w.tools.Offer(mode, whole), whole).Specs
	}
	for _, spec := range specs {
		part := messages.ContextPart{Kind: "tool", Name: spec.Name, Tokens: meter.Text(spec.Name + spec.Doc + string(spec.Schema))}
		if tool, ok := w.tools.Lookup(spec.Name); ok && isShort(spec, tool) {
			part.State, part.Why = string(written.Shortened), "to its first sentence and the names of its parameters, because the window is small"
		}
		parts = append(parts, part)
	}
	if !toolbox.SmallWindow(whole) {
		return parts
	}
	for _, tool := range w.tools.Offer(mode, 0) {
		if !turn.KnowsTool(specs, tool.Name) {
			parts = append(parts, messages.ContextPart{Kind: "tool", Name: tool.Name, State: string(written.Waits), Why: fmt.Sprintf("only find_tools offers it, because a window of %d tokens has no room for it", whole)})
		}
	}
	return parts
}

// isShort reports whether spec is shorter than the tool's outline.
func isShort(spec providers.ToolSpec, tool tools.Tool) bool {
	doc, schema, err := tool.Outline()
	return err == nil && (len(spec.Doc) < len(doc) || len(spec.Schema) < len(schema))
}

// conversationParts returns parts for the messages, and one part for each tool's results. It does
// not count the given sections, because [window.parts] lists them separately.
func (w window) conversationParts(sections []prompt.Section, meter tokens.Meter) (parts []messages.ContextPart) {
	spoken, told, results, calls, left := 0, 0, map[string]int{}, map[string]int{}, map[string]int{}
	for _, message := range w.committed {
		switch message.Role {
		case messages.Tool:
			results[message.Result.Name] += meter.Text(message.Result.Text)
			calls[message.Result.Name]++
			if budget.IsPlaceholder(message.Result.Text) {
				left[message.Result.Name]++
			}
		case messages.System:
			told += meter.Text(message.Text)
		default:
			spoken += meter.Text(message.Text)
			for _, call := range message.Calls {
				spoken += meter.Text(call.Name + string(call.Args))
			}
		}
	}
	for _, section := range sections {
		if told > 0 && !strings.Contains(w.frame.System, section.Text) {
			told = max(0, told-meter.Text(section.Text))
		}
	}
	if told > 0 {
		parts = append(parts, messages.ContextPart{Kind: "message", Name: "sent since the beginning", Tokens: told})
	}
	if spoken > 0 || len(w.committed) > 0 {
		parts = append(parts, messages.ContextPart{Kind: "message", Name: fmt.Sprintf("the messages (%d)", len(w.committed)), Tokens: spoken})
	}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		part := messages.ContextPart{Kind: "result", Name: fmt.Sprintf("%s (%d)", name, calls[name]), Tokens: results[name]}
		if left[name] > 0 {
			part.Why = fmt.Sprintf("%d of %d removed from view", left[name], calls[name])
		}
		parts = append(parts, part)
	}
	return parts
}

// context replies to [messages.ShowContext] and [messages.ShowNeeds].
func (l *lookups) context(c actor.Context, op messages.Op) {
	if _, needs := op.(messages.ShowNeeds); needs {
		l.tell(l.state.needs(l.config))
		return
	}
	look := window{
		config: l.config, conversation: l.state.conversation, tools: l.config.Tools.Snapshot(), frame: l.state.frame, offered: l.state.offered, committed: l.state.committed,
		background: jobs.Client{Root: c.ActorSystem().Root, Table: l.jobs, Home: l.config.Home, Dir: l.state.conversation.Dir},
	}
	task.Do(c, func() any { return messages.ContextShown{Parts: look.parts()} }, func(panicked *task.Panicked) any {
		return messages.Notice{Level: messages.Problem, Text: "Marvin could not read the contents of the context window: " + panicked.Error()}
	})
}

// factParts returns one part for each fact in the system text.
func factParts(sections []prompt.Section, count func(string) int) (parts []messages.ContextPart) {
	for _, section := range sections {
		if section.Name != prompt.FactsSection {
			continue
		}
		for _, fact := range prompt.FactsIn(section) {
			parts = append(parts, messages.ContextPart{Kind: "fact", Name: fact, Tokens: count(fact)})
		}
	}
	return parts
}
