package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/projects"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// typedWords provides a project's command files and skills, and a draft of its AGENTS.md.
type typedWords struct{ parts *app.App }

// ListWritten implements [command.Host].
func (h typedWords) ListWritten(_ context.Context, dir string) (all []slash.WrittenCommand) {
	for _, file := range typedIn(h.parts, dir).Of(written.Command, written.Skill) {
		if file.Used() {
			all = append(all, slash.WrittenCommand{Name: extensions.TypedName(file), Hint: tools.Visible(file.Head.Hint), Description: tools.Visible(file.Head.Description)})
		}
	}
	return append(all, serverPrompts(h.parts)...)
}

// Ask implements [command.Host].
func (h typedWords) Ask(ctx context.Context, name, arguments, dir string) (command.Submission, error) {
	if of, is := strings.CutPrefix(name, promptMark); is {
		return askServer(ctx, h.parts, of, arguments)
	}
	found := typedIn(h.parts, dir)
	kind := written.Command
	name, isSkill := strings.CutPrefix(name, extensions.SkillMark)
	if isSkill {
		kind = written.Skill
	}
	file, there := found.ByName(kind, name)
	if !there || !file.Used() {
		return h.explainUnused(kind, name, dir)
	}
	if asks, err := h.questionBeforeUse(found.Root, file); asks != "" || err != nil {
		return command.Submission{Asks: asks}, err
	}
	text := file.Text
	if !file.Own {
		text = tools.Unhidden(text)
	}
	asked := command.Submission{}
	if isSkill {
		asked.Prompt = expanded(file, fmt.Sprintf("Use the skill %s, in %s:\n\n%s\n\n%s", file.CallName(), filepath.Dir(file.Path), strings.TrimSpace(text), arguments), arguments)
		return asked, nil
	}
	text, parts := written.Expand(text, arguments, cmp.Or(dir, h.parts.Dir))
	asked.Prompt = expanded(file, text, arguments)
	if dir == "" {
		all := len(parts)
		if parts = slices.DeleteFunc(parts, func(part written.Part) bool { return part.Shell != "" }); len(parts) < all {
			asked.Said = "The command lines in " + extensions.TypedName(file) + " run in coding mode only (/code)."
		}
	}
	if len(parts) > 0 {
		asked.Prompt.Parts = &messages.PromptParts{}
	}
	for _, part := range parts {
		asked.Prompt.Parts.Calls = append(asked.Prompt.Parts.Calls, callOf(part))
	}
	if model := file.Head.Model; model != "" {
		if choice, there := h.parts.Accounts.FindModel(model); there {
			asked.Prompt.Provider, asked.Prompt.Model = choice.Provider, choice.Model
		} else {
			asked.Said = strings.TrimSpace(asked.Said + fmt.Sprintf(" The command asks for the model %s, which is not available here, so the current one answers. A command may name a role, a provider, or provider/model.", tools.Visible(model)))
		}
	}
	return asked, nil
}

// questionBeforeUse returns the question to ask before the first use of a new or changed project
// file. If no question is needed, it returns "". The user confirms by typing the same line again.
func (h typedWords) questionBeforeUse(root string, file written.File) (asks string, err error) {
	if file.Own {
		return "", nil
	}
	known, err := projects.New(h.parts.Config.Home).Get(root)
	if err != nil && !persistence.OnlyDamage(err) {
		return "", err
	}
	if known.Always || known.Used[file.Name] == file.Hash() {
		return "", nil
	}
	if !h.parts.Shown.ShownBefore(file.Hash()) {
		return fmt.Sprintf("The file %[2]s in this directory defines %[1]s as:\n\n%[3]s\n\nTo use it, type the same line again.", extensions.TypedName(file), tools.Visible(file.Name), strings.TrimSpace(tools.Visible(file.Raw()))), nil
	}
	err = projects.New(h.parts.Config.Home).Change(root, func(project *projects.Project) {
		project.Used[file.Name], project.Named[file.Name] = file.Hash(), file.Hash()
	})
	if errors.Is(err, persistence.ErrNoHome) {
		err = nil
	}
	return "", err
}

// explainUnused handles a typed name for which no file can be used. If the directory has a file
// with this name, the submission says that Marvin uses the file only in coding mode.
func (h typedWords) explainUnused(kind written.Kind, name, dir string) (command.Submission, error) {
	if dir == "" {
		if file, there := typedIn(h.parts, h.parts.Dir).ByName(kind, name); there && file.Used() {
			return command.Submission{Asks: fmt.Sprintf("%s comes from a file of this directory (%s), and Marvin uses such files only in coding mode; type /code first.", extensions.TypedName(file), tools.Visible(file.Name))}, nil
		}
	}
	return command.Submission{}, command.ErrNotWritten
}

// ExpandPrompt expands a typed prompt such as "/review the parser". A prompt that names no command
// file or skill is returned unchanged.
func ExpandPrompt(ctx context.Context, p *app.App, prompt messages.Prompt) (messages.Prompt, error) {
	h := typedWords{p}
	word, rest := command.FirstWord(prompt.Typed())
	if !strings.HasPrefix(word, "/") || strings.HasPrefix(word[1:], promptMark) {
		return prompt, nil
	}
	asked, err := h.Ask(ctx, word[1:], rest, h.parts.Dir)
	switch {
	case errors.Is(err, command.ErrNotWritten):
		return prompt, nil
	case err != nil:
		return prompt, err
	case asked.Asks != "":
		return prompt, fmt.Errorf("%s comes with this directory, and you have not read its text yet; start marvin in this directory, type %s, and read the text", tools.Visible(word), tools.Visible(word))
	}
	if asked.Said != "" {
		fmt.Fprintln(h.parts.World.Stderr, asked.Said)
	}
	if len(prompt.By) > 1 { // keep the text from standard input
		all := messages.Ask(append(asked.Prompt.By[:1:1], prompt.By[1:]...)...)
		asked.Prompt.Text, asked.Prompt.By = all.Text, append(all.By, asked.Prompt.By[1:]...)
	}
	return asked.Prompt, nil
}

// callOf returns the tool call for a part of a command file. The call needs the same consent as any
// other call.
func callOf(part written.Part) messages.ToolCall {
	if part.Shell == "" {
		return attach(part.Mention)
	}
	encoded, err := json.Marshal(map[string]string{"command": part.Shell})
	if err != nil {
		panic(fmt.Sprintf("a map of strings cannot be encoded: %v", err))
	}
	return messages.ToolCall{Name: "run_command", Args: encoded}
}

// expanded returns a prompt that consists of a command file's text, followed by the arguments. Only
// the arguments count as the user's words.
func expanded(file written.File, text, arguments string) messages.Prompt {
	author := messages.Project
	if file.Own {
		author = messages.UserFile
	}
	prompt := messages.Ask(messages.NewAuthored(author, strings.TrimSpace(text), "the "+string(file.Kind)+" "+extensions.TypedName(file)+" of the project"))
	prompt.By = append(prompt.By, messages.NewAuthored(messages.Typed, arguments, ""))
	return prompt
}

func typedIn(p *app.App, dir string) written.Inventory {
	return extensions.FindWritten(p.Config.Words, p.Config.Home, dir)
}
