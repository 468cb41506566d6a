package material

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/providers"
	"marvin/tools"
)

// Instruction files come from the working directory, the repository, and directories in which calls
// use files. Anyone could have written these files, so Marvin lists new and changed files for the
// user.
//
// If a user can answer questions, the files need approval. Otherwise, the main conversation uses
// all files, except files that would change Marvin's own rules. Instruction files cannot change
// settings.

// Unapproved lists the files of a directory that need the user's approval.
type Unapproved struct {
	Dir    string          // the root of the repository
	Files  []projects.Text // the usable files and the unapproved files
	Title  string
	Detail string
	More   string       // the contents of the files
	Parts  prompt.Parts // the system text if the user agrees
	Trust  conv.Trust   // the new Trust if the user agrees
	Refuse conv.Trust   // the new Trust if the user refuses
	Left   string       // the notice if the user refuses
}

// project includes the user's files and the usable project files in the system text. If wanted.Ask
// is set and the conversation has a user, it also prepares a question about undecided files.
func project(config *conv.Setup, conversation conv.LiveConversation, parts prompt.Parts, wanted Gathering, ready *Prepared) {
	ready.Trust = conversation.Trust
	found := Find(config, conversation, wanted)
	for _, err := range found.problems {
		ready.Notices = append(ready.Notices, err.Error())
	}
	found.addUserFiles(&parts)
	parts.MaxDocument = found.documents(wanted.Window)
	defer func() { ready.Parts, ready.Found = parts, found }()
	if len(found.OfProject) == 0 || !wanted.Dry && conversation.Choice.Provider == providers.Offline {
		return // the built-in assistant reads no instructions
	}
	known, err := projects.New(config.Home).Get(found.Place)
	if err != nil {
		ready.Notices = append(ready.Notices, err.Error())
	}
	use, others := found.sort(conversation, known)
	if wanted.Dry {
		found.include(&parts, append(use, undecided(conversation.Trust, others, found.Place)...))
		ready.Others = others
		return
	}
	policy := conversation.Policy
	if ask := undecided(conversation.Trust, others, found.Place); len(ask) > 0 && wanted.Ask && policy.Person {
		with := parts
		found.include(&with, append(slices.Clone(use), ask...))
		asked := texts(ask)
		groups := groupsOf(ask)
		ready.Unapproved = &Unapproved{
			Dir: found.Place, Refuse: recordRefusal(conversation.Trust, ask), Left: leftOut(ask), Files: append(texts(use), asked...), Parts: with,
			Trust:  conversation.Trust.Extended(groups, append(texts(use), asked...)),
			Title:  "Let the model read the instruction files of this directory?",
			More:   contents(asked),
			Detail: tools.Visible(found.Place) + "\n" + enumerate(asked, known.Named) + rulesIn(ask) + "\nInstructions from this repository can influence the model. \"No\" ignores them this time. \"Always\" trusts this directory, even if its files change.",
		}
	}
	found.include(&parts, use)
	ready.Brought = !policy.Agent && !policy.Person && slices.ContainsFunc(use, func(file File) bool {
		return !known.Always && known.Used[file.Name] != file.Hash()
	})
	ready.Trust = conversation.Trust.Extended(approvedDirs(conversation.Trust, use, others), texts(use))
	if !policy.Person && !policy.Agent {
		for _, file := range others {
			if file.strict {
				ready.Notices = append(ready.Notices, tools.Visible(file.Name)+" is left out, because it would become part of Marvin's own rules and you have not agreed to that here. Start marvin in this directory once, and answer its question.")
			}
		}
	}
	if fresh := unnamed(texts(use), known.Named); len(fresh) > 0 && !policy.Agent {
		ready.Notices = append(ready.Notices, "The model reads instruction files of this directory: "+strings.ReplaceAll(enumerate(fresh, known.Named), "\n", ", "))
		if err := Remember(config.Home, found.Place, fresh, messages.No); err != nil {
			ready.Notices = append(ready.Notices, err.Error())
		}
	}
}

// sort divides the project files into usable files and files that need the user's consent.
func (b *Found) sort(conversation conv.LiveConversation, known projects.Project) (use, others []File) {
	policy, holds := conversation.Policy, conversation.Trust
	for _, file := range b.OfProject {
		hash := file.Hash()
		alone := !file.strict && !policy.Person && (!policy.Agent || file.group != b.Place && holds[b.Place])
		if holds[file.group] && !file.strict || holds[hash] || known.Always || known.Used[file.Name] == hash || alone {
			use = append(use, file)
		} else {
			others = append(others, file)
		}
	}
	return use, others
}

// undecided returns the files that the user has neither approved nor refused in this conversation.
// It returns nil if the user refused root.
func undecided(holds conv.Trust, files []File, root string) []File {
	if Refused(holds, root) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(files), func(file File) bool {
		_, answered := holds[file.group]
		return answered && !file.strict || Refused(holds, file.Hash())
	})
}

// rulesIn returns a warning for each file that would become part of Marvin's own rules.
func rulesIn(files []File) (said string) {
	for _, file := range files {
		if file.strict {
			said += "\n" + tools.Visible(file.Name) + " becomes part of Marvin's own rules, so read it first."
		}
	}
	return said
}

// approvedDirs returns the directories in which every file may be used. If a file in such a
// directory changes later, Marvin reports the change without asking.
func approvedDirs(holds conv.Trust, use, others []File) (groups []string) {
	unapproved := groupsOf(others)
	for _, group := range groupsOf(use) {
		if _, answered := holds[group]; !answered && !slices.Contains(unapproved, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

func groupsOf(files []File) (groups []string) {
	for _, file := range files {
		if !slices.Contains(groups, file.group) {
			groups = append(groups, file.group)
		}
	}
	return groups
}

func texts(files []File) []projects.Text {
	return lists.Map(files, func(file File) projects.Text { return file.Text })
}

// recordRefusal returns a copy of t that records the user's refusal. The refusal applies to the
// directory of each file. If rulesAlone returns true, the refusal applies only to the current
// contents of the file.
func recordRefusal(t conv.Trust, asked []File) conv.Trust {
	less := t.Extended(nil, nil)
	for _, file := range asked {
		if rulesAlone(asked, file.group) {
			less[file.Hash()] = false
		} else {
			less[file.group] = false
		}
	}
	return less
}

// rulesAlone reports whether all files in the group would change Marvin's own rules.
func rulesAlone(asked []File, group string) bool {
	return !slices.ContainsFunc(asked, func(file File) bool { return file.group == group && !file.strict })
}

func leftOut(asked []File) string {
	var names []string
	for _, file := range asked {
		if !rulesAlone(asked, file.group) {
			return "The instruction files of this directory are left out of this conversation."
		}
		names = append(names, tools.Visible(file.Name))
	}
	return "Left out of this conversation: " + strings.Join(names, ", ") + "."
}

// unnamed returns the files whose current version has not been reported to the user.
func unnamed(files []projects.Text, named map[string]string) []projects.Text {
	return slices.DeleteFunc(slices.Clone(files), func(file projects.Text) bool { return named[file.Name] == file.Hash() })
}

// enumerate returns a list of files, one per line. Each line contains the size of the file, and
// says whether the file has changed or contains invisible characters.
func enumerate(files []projects.Text, named map[string]string) string {
	lines := make([]string, 0, mostNamed+1)
	for i, file := range files {
		if i == mostNamed && len(files) > mostNamed+1 {
			return strings.Join(append(lines, fmt.Sprintf("and %d more", len(files)-i)), "\n")
		}
		details := []string{messages.Counted(len(file.Text), "byte")}
		if len(file.Text) >= 1000 {
			details[0] = fmt.Sprintf("%.1f kB", float64(len(file.Text))/1e3)
		}
		if before := named[file.Name]; before != "" && before != file.Hash() {
			details = append(details, "changed")
		}
		if count := tools.CountHidden(file.Text); count > 0 {
			details = append(details, fmt.Sprintf("invisible characters: %d", count))
		}
		lines = append(lines, fmt.Sprintf("%s (%s)", tools.Visible(file.Name), strings.Join(details, ", ")))
	}
	return strings.Join(lines, "\n")
}

// mostNamed limits how many files are listed; a project may have hundreds.
const mostNamed = 30

// mostShown is the size in bytes at which the function [contents] truncates a file.
const mostShown = 32 << 10

// contents returns files as text for the user. Invisible characters become visible.
func contents(files []projects.Text) string {
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

// Remember adds the files to the stored list of files that the user has seen. If the user approved
// the files, Remember also stores the approval, so that Marvin does not ask again.
func Remember(home *persistence.Home, dir string, files []projects.Text, answer messages.Choice) error {
	err := projects.New(home).Change(dir, func(project *projects.Project) {
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
		return fmt.Errorf("Marvin could not record that it has shown these files to you: %w", err)
	}
	return err
}

// Refused reports whether the user refused a directory or a file. The key of a file is its hash.
func Refused(holds conv.Trust, key string) bool {
	said, answered := holds[key]
	return answered && !said
}
