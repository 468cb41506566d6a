package call

import (
	"fmt"
	"slices"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/material"
	"marvin/messages/lists"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Skills and sub-agent definitions from the project are used only if the user agreed to their
// current content.

// library is used to find skills and sub-agent definitions by name.
type library struct {
	config       *conv.Setup
	conversation conv.LiveConversation
	tools        *toolbox.Registry
	mode         tools.Mode
}

func (l *library) find(kind written.Kind, name string) (written.File, error) {
	found := material.Find(l.config, l.conversation, material.Gathering{})
	file, there := found.ByName(kind, strings.TrimSpace(name))
	if !there {
		names := lists.Map(offered(l.conversation, found, kind), written.File.CallName)
		known := "there is none here"
		if len(names) > 0 {
			known = "there are " + strings.Join(names[:min(len(names), 20)], ", ")
		}
		return written.File{}, tools.Advise(fmt.Errorf("there is no %s %q", kind, name), "%s.", strings.ToUpper(known[:1])+known[1:])
	}
	if !agreed(l.conversation, file) {
		return written.File{}, tools.Advise(fmt.Errorf("the %s %s has changed since the user agreed to it, or the user never agreed to it", kind, file.CallName()), "Marvin will ask the user about it at the next prompt.")
	}
	return file, nil
}

func agreed(conversation conv.LiveConversation, file written.File) bool {
	return file.Own || conversation.Trust[file.Hash()]
}

// offered selects the files of one kind. Unused, hidden and unapproved files are left out.
func offered(conversation conv.LiveConversation, found *material.Found, kind written.Kind) []written.File {
	return slices.DeleteFunc(found.Of(kind), func(file written.File) bool {
		return !file.Used() || file.Head.Hidden || !agreed(conversation, file)
	})
}

func listSkills(config *conv.Setup, conversation conv.LiveConversation) string {
	var lines []string
	for _, file := range offered(conversation, material.Find(config, conversation, material.Gathering{}), written.Skill) {
		lines = append(lines, "skill:"+material.FileLine(file))
	}
	if len(lines) == 0 {
		return "There are no skills here."
	}
	return "Available skills:\n" + strings.Join(lines, "\n")
}

// skill implements [tools.Env.Skill].
func (l *library) skill(name, file string) (string, error) {
	if name == "" {
		return listSkills(l.config, l.conversation), nil
	}
	found, err := l.find(written.Skill, name)
	if err != nil {
		return "", err
	}
	if file != "" {
		text, err := found.ReadBeside(file)
		if err != nil || found.Own {
			return text, err
		}
		return tools.Unhidden(text), nil
	}
	text := found.Text
	if !found.Own {
		text = tools.Unhidden(text)
	}
	dir := strings.TrimSuffix(found.Path, "SKILL.md")
	out := fmt.Sprintf("Skill %s, in %s\n\n%s", found.CallName(), dir, strings.TrimSpace(text))
	if parts := found.Parts(); len(parts) > 0 {
		out += "\n\nIts files: " + strings.Join(parts, ", ")
	}
	return out, nil
}

// definition implements [tools.Env.Definition].
func (l *library) definition(name string) (tools.AgentKind, error) {
	found, err := l.find(written.Agent, name)
	if err != nil {
		return tools.AgentKind{}, err
	}
	kind := tools.AgentKind{Name: found.CallName(), Text: found.Text, Project: !found.Own}
	if !found.Own {
		kind.Text = tools.Unhidden(kind.Text)
	}
	if found.Head.Tools != nil {
		kind.Tools = []string{}
	}
	for _, wish := range found.Head.Tools {
		// "Bash(git:*)" becomes "Bash": only the user's rules decide which commands may run.
		wish, _, _ = strings.Cut(wish, "(")
		if tool, err := l.tools.Find(wish, l.mode); err == nil && !slices.Contains(kind.Tools, tool.Name) {
			kind.Tools = append(kind.Tools, tool.Name)
		}
	}
	switch strings.ToLower(found.Head.Policy) {
	case "read-only", "readonly", "plan":
		kind.ReadOnly = true
	}
	if model := found.Head.Model; !slices.Contains([]string{"inherit", "sonnet", "opus", "haiku", "default"}, model) {
		kind.Model = model
	}
	return kind, nil
}
