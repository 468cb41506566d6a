package actors

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/tools"
)

// Files of the working directory, its repository and directories that calls touch go to the model.
// They come with the directory, from any source, so the user sees a notice before the model first
// reads them. An interactive user decides; without a user they are used, as in other programs, and
// listed. A file is only ever text: no setting is read from a project.

// unapproved are files of a directory that the person did not want used before.
type unapproved struct {
	dir    string          // the repository
	files  []projects.Text // that the model would read, the known ones as well
	title  string
	detail string
	more   string       // what they say
	parts  prompt.Parts // of the system text, with them
	trust  trust        // if they are used
	refuse trust        // if they are not
	left   string       // the notice for that case
}

// project adds the usable files to the system text. With wanted.ask the router asks about the
// others.
func project(config *setup, conversation runningConversation, parts prompt.Parts, wanted gathering, ready *prepared) {
	ready.trust = conversation.trust
	found := bring(config, conversation, wanted)
	for _, err := range found.problems {
		ready.notices = append(ready.notices, err.Error())
	}
	found.own(&parts)
	parts.Most = found.documents(wanted.window)
	defer func() { ready.parts, ready.found = parts, found }()
	if len(found.ofProject) == 0 {
		return
	}
	known, err := projects.Of(config.Home).Of(found.place)
	if err != nil {
		ready.notices = append(ready.notices, err.Error())
	}
	use, others := found.sort(conversation, known)
	if wanted.dry {
		found.include(&parts, append(use, undecided(conversation.trust, others, found.place)...))
		ready.others = others
		return
	}
	policy := conversation.Policy
	if ask := undecided(conversation.trust, others, found.place); len(ask) > 0 && wanted.ask && policy.Person {
		with := parts
		found.include(&with, append(slices.Clone(use), ask...))
		asked := texts(ask)
		groups := groupsOf(ask)
		ready.unapproved = &unapproved{
			dir: found.place, refuse: without(conversation.trust, ask), left: leftOut(ask), files: append(texts(use), asked...), parts: with,
			trust:  conversation.trust.with(groups, append(texts(use), asked...)),
			title:  "Let the model read the files that this directory brings?",
			more:   contents(asked),
			detail: tools.Visible(found.place) + "\n" + enumerate(asked, known.Named) + rulesIn(ask) + "\nInstructions from this repository can influence the model. No: ignore them this time. Always: trust this directory, also after changes.",
		}
	}
	found.include(&parts, use)
	ready.brought = !policy.Agent && !policy.Person && slices.ContainsFunc(use, func(file broughtFile) bool {
		return !known.Always && known.Used[file.Name] != file.Hash()
	})
	ready.trust = conversation.trust.with(acquainted(conversation.trust, use, others), texts(use))
	if !policy.Person && !policy.Agent {
		for _, file := range others {
			if file.strict {
				ready.notices = append(ready.notices, tools.Visible(file.Name)+" is left out: it would become part of Marvin's own rules, and you have not agreed to it here. Start marvin in this directory once, and answer.")
			}
		}
	}
	if fresh := unnamed(texts(use), known.Named); len(fresh) > 0 && !policy.Agent {
		ready.notices = append(ready.notices, "The model reads files that this directory brings: "+strings.ReplaceAll(enumerate(fresh, known.Named), "\n", ", "))
		if err := remember(config.Home, found.place, fresh, messages.No); err != nil {
			ready.notices = append(ready.notices, err.Error())
		}
	}
}

// sort separates usable files from those to ask about first.
func (b *brought) sort(conversation runningConversation, known projects.Project) (use, others []broughtFile) {
	policy, holds := conversation.Policy, conversation.trust
	for _, file := range b.ofProject {
		hash := file.Hash()
		alone := !file.strict && !policy.Person && (!policy.Agent || file.group != b.place && holds[b.place])
		if holds[file.group] && !file.strict || holds[hash] || known.Always || known.Used[file.Name] == hash || alone {
			use = append(use, file)
		} else {
			others = append(others, file)
		}
	}
	return use, others
}

// undecided returns files of directories without a yes or no in this conversation.
func undecided(holds trust, files []broughtFile, root string) []broughtFile {
	if refused(holds, root) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(files), func(file broughtFile) bool {
		_, answered := holds[file.group]
		return answered && !file.strict || refused(holds, file.Hash())
	})
}

// rulesIn says of files that they become part of Marvin's own rules.
func rulesIn(files []broughtFile) (said string) {
	for _, file := range files {
		if file.strict {
			said += "\n" + tools.Visible(file.Name) + " becomes part of Marvin's own rules: read it."
		}
	}
	return said
}

// acquainted returns the directories whose present files are known: later changes there are only
// reported.
func acquainted(holds trust, use, others []broughtFile) (groups []string) {
	unapproved := groupsOf(others)
	for _, group := range groupsOf(use) {
		if _, answered := holds[group]; !answered && !slices.Contains(unapproved, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

func groupsOf(files []broughtFile) (groups []string) {
	for _, file := range files {
		if !slices.Contains(groups, file.group) {
			groups = append(groups, file.group)
		}
	}
	return groups
}

func texts(files []broughtFile) []projects.Text {
	all := make([]projects.Text, len(files))
	for i, file := range files {
		all[i] = file.Text
	}
	return all
}

// without refuses the files in question: whole directories, or only the present files where the
// question concerned just additions to Marvin's own rules.
func without(t trust, asked []broughtFile) trust {
	less := t.with(nil, nil)
	for _, file := range asked {
		if rulesAlone(asked, file.group) {
			less[file.Hash()] = false
		} else {
			less[file.group] = false
		}
	}
	return less
}

// rulesAlone reports whether every file asked about in a directory would extend Marvin's own rules.
func rulesAlone(asked []broughtFile, group string) bool {
	return !slices.ContainsFunc(asked, func(file broughtFile) bool { return file.group == group && !file.strict })
}

// leftOut is the notice after a no.
func leftOut(asked []broughtFile) string {
	var names []string
	for _, file := range asked {
		if !rulesAlone(asked, file.group) {
			return "The files that this directory brings are left out of this conversation."
		}
		names = append(names, tools.Visible(file.Name))
	}
	return "Left out of this conversation: " + strings.Join(names, ", ") + "."
}

// unnamed returns the files whose present content was never reported.
func unnamed(files []projects.Text, named map[string]string) []projects.Text {
	return slices.DeleteFunc(slices.Clone(files), func(file projects.Text) bool { return named[file.Name] == file.Hash() })
}

// enumerate names files, one a line, with what tells a person whether to look at them.
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
		if count := tools.Hidden(file.Text); count > 0 {
			details = append(details, fmt.Sprintf("invisible characters: %d", count))
		}
		lines = append(lines, fmt.Sprintf("%s (%s)", tools.Visible(file.Name), strings.Join(details, ", ")))
	}
	return strings.Join(lines, "\n")
}

// mostNamed limits how many files are listed; a project may have hundreds.
const mostNamed = 30

// mostShown is how much of a file the question shows, in bytes.
const mostShown = 32 << 10

// contents is what files say, for a person, with everything in them visible.
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

// remember stores which files the user saw, and the answer. If it cannot be stored, the question
// comes each time.
func remember(home *persistence.Home, dir string, files []projects.Text, answer messages.Choice) error {
	err := projects.Of(home).Change(dir, func(project *projects.Project) {
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

// refused says whether the person said no to the files of a directory, or to a file by its hash.
func refused(holds trust, what string) bool {
	said, answered := holds[what]
	return answered && !said
}
