package actors

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// Some files of the working directory go into the system text. They come with the
// directory, from wherever that came, so a person hears of them before the model reads
// them for the first time. A person who is there decides; where nobody is, they are
// used, as everywhere else, and named. A file can only ever be text: nothing that is set
// somewhere is read from a project.

// trust is what holds in a conversation, by directory (what its person answered) and by
// the hash of a file (what its model reads). What changes in a directory that a
// conversation began to work in, most often by its own hands, is named and not asked
// about. Sub-agents are given the trust of their caller, and read nothing beyond it.
type trust map[string]bool

// strange are files of a directory that the person did not want used before.
type strange struct {
	dir    string
	files  []persistence.Text // that the model would read, the known ones as well
	title  string
	detail string
	more   string       // what they say
	parts  prompt.Parts // of the system text, with them
	trust  trust        // if they are used
}

// project completes the system text with the files of the working directory that may be
// used. With ask the others are asked about, which is for the router to do.
func project(config *Config, conversation Conversation, parts prompt.Parts, ask bool, ready *prepared) {
	ready.trust = conversation.trust
	defer func() { ready.parts = parts }()
	if conversation.Dir == "" {
		return
	}
	note := func(err error) {
		if err != nil {
			ready.notices = append(ready.notices, err.Error())
		}
	}
	instructions, err := config.Home.Instructions(conversation.Dir)
	note(err)
	documents, err := persistence.ProjectDocuments(conversation.Dir)
	note(err)
	files := documents
	if instructions.Name != "" {
		files = append([]persistence.Text{instructions}, documents...)
	} else { // the user's own
		parts.Instructions = prompt.Document{Path: instructions.Path, Text: instructions.Text}
	}
	if len(files) == 0 {
		return
	}
	known, err := config.Home.Project(conversation.Dir)
	note(err)
	dir, policy := persistence.RealDir(conversation.Dir), conversation.Policy
	welcome := func(file persistence.Text) bool {
		return conversation.trust[dir] || conversation.trust[file.Hash()] || known.Always ||
			known.Used[file.Name] == file.Hash() || !policy.Person && !policy.Agent
	}
	var use, others []persistence.Text
	for _, file := range files {
		if welcome(file) {
			use = append(use, file)
		} else {
			others = append(others, file)
		}
	}
	if _, answered := conversation.trust[dir]; len(others) > 0 && ask && policy.Person && !answered {
		with := parts
		include(&with, files)
		ready.strange = &strange{
			dir: dir, files: files, parts: with, trust: conversation.trust.with(dir, files),
			title:  "Let the model read the files that this directory brings?",
			more:   contents(others),
			detail: tools.Visible(dir) + "\n" + enumerate(others, known.Named) + "\nThey say how to work here, and may say anything. No leaves them out of this conversation; always takes what they say later as well.",
		}
	}
	include(&parts, use)
	ready.brought = !policy.Agent && !policy.Person && slices.ContainsFunc(use, func(file persistence.Text) bool {
		return !known.Always && known.Used[file.Name] != file.Hash()
	})
	acquainted := "" // with the directory as it is: what changes from now on is only named
	if _, answered := conversation.trust[dir]; len(others) == 0 && !answered {
		acquainted = dir
	}
	ready.trust = conversation.trust.with(acquainted, use)
	if fresh := unnamed(use, known.Named); len(fresh) > 0 && !policy.Agent {
		ready.notices = append(ready.notices, "The model reads files that this directory brings: "+strings.ReplaceAll(enumerate(fresh, known.Named), "\n", ", "))
		note(remember(config.Home, dir, fresh, messages.No))
	}
}

// include puts files where the system text has them.
func include(parts *prompt.Parts, files []persistence.Text) {
	parts.Documents = nil
	for _, file := range files {
		document := prompt.Document{Path: file.Path, Text: tools.Unhidden(file.Text)}
		if strings.HasPrefix(file.Name, ".marvin-") || strings.HasSuffix(file.Name, "/instructions.md") {
			parts.Instructions = document
		} else {
			parts.Documents = append(parts.Documents, document)
		}
	}
}

// with adds a directory, if it is not "", and files that are used.
func (t trust) with(dir string, files []persistence.Text) trust {
	more := maps.Clone(t)
	if more == nil {
		more = trust{}
	}
	if dir != "" {
		more[dir] = true
	}
	for _, file := range files {
		more[file.Hash()] = true
	}
	return more
}

// unnamed are the files that nobody was told of as they are now.
func unnamed(files []persistence.Text, named map[string]string) []persistence.Text {
	return slices.DeleteFunc(slices.Clone(files), func(file persistence.Text) bool { return named[file.Name] == file.Hash() })
}

// enumerate names files, one a line, with what tells a person whether to look at them.
func enumerate(files []persistence.Text, named map[string]string) string {
	lines := make([]string, len(files))
	for i, file := range files {
		details := []string{fmt.Sprintf("%d bytes", len(file.Text))}
		if len(file.Text) >= 1000 {
			details[0] = fmt.Sprintf("%.1f kB", float64(len(file.Text))/1e3)
		}
		if before := named[file.Name]; before != "" && before != file.Hash() {
			details = append(details, "changed")
		}
		if count := tools.Hidden(file.Text); count > 0 {
			details = append(details, fmt.Sprintf("invisible characters: %d", count))
		}
		lines[i] = fmt.Sprintf("%s (%s)", file.Name, strings.Join(details, ", "))
	}
	return strings.Join(lines, "\n")
}

// mostShown is how much of a file is shown before somebody decides about it, in bytes.
const mostShown = 32 << 10

// contents is what files say, for a person, with everything in them visible.
func contents(files []persistence.Text) string {
	var text strings.Builder
	for _, file := range files {
		shown, cut := file.Text, ""
		if len(shown) > mostShown {
			shown, cut = strings.ToValidUTF8(shown[:mostShown], ""), fmt.Sprintf("\n… %d bytes more", len(file.Text)-mostShown)
		}
		fmt.Fprintf(&text, "── %s ──\n%s%s\n", tools.Visible(file.Name), strings.TrimRight(tools.Visible(shown), "\n"), cut)
	}
	return strings.TrimRight(text.String(), "\n")
}

// remember notes that a person was told of files, and what they answered. Where nothing
// can be kept it is asked and told again, each time.
func remember(home *persistence.Home, dir string, files []persistence.Text, answer messages.Choice) error {
	err := home.ChangeProject(dir, func(project *persistence.Project) {
		for _, file := range files {
			project.Named[file.Name] = file.Hash()
			if answer != messages.No {
				project.Used[file.Name] = file.Hash()
			}
		}
		project.Always = project.Always || answer == messages.Always
	})
	if errors.Is(err, persistence.ErrNoHome) {
		return nil
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return fmt.Errorf("that these files were named is not remembered: %w", err)
	}
	return err
}
