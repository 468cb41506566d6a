package main

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/docs"
	"marvin/ui/slash"
)

// The binary contains the manual. "marvin help TOPIC" prints a page or a section.

func topics() (names []string) {
	files, _ := fs.Glob(docs.Pages, "*.md") // the pattern is valid
	for _, file := range files {
		if name := strings.TrimSuffix(file, ".md"); name != "README" { // the index
			names = append(names, name)
		}
	}
	return names
}

// helpTopic is one argument of "marvin help".
type helpTopic string

// Complete offers the names of commands and manual pages.
func (helpTopic) Complete(prefix string) []flags.Completion {
	all := slices.Concat(commandNames(), topics())
	slices.Sort(all)
	return cli.PrefixMatches(prefix, slices.Compact(all))
}

// manual returns the page about a topic. If there is no such page, it returns the first section
// whose heading contains all words of the topic, or "" if there is no such section either.
func manual(topic string) string {
	topic = strings.ToLower(strings.TrimSpace(topic))
	if data, err := docs.Pages.ReadFile(strings.ReplaceAll(topic, " ", "-") + ".md"); err == nil {
		return strings.TrimRight(string(data), "\n")
	}
	if len(topic) < 3 {
		return ""
	}
	for _, name := range topics() {
		data, _ := docs.Pages.ReadFile(name + ".md")
		if section := sectionAbout(string(data), strings.Fields(topic)); section != "" {
			return section + "\n\n(marvin help " + name + " has the whole page)"
		}
	}
	return ""
}

// asksManual reports whether the words after "help" ask for the manual. The first word must name a
// page or a command, or the words together must match a page or a heading.
func asksManual(words []string) bool {
	return slices.Contains(topics(), words[0]) || slices.Contains(commandNames(), words[0]) || manual(strings.Join(words, " ")) != ""
}

// sectionAbout searches the headings of a page. It returns the section below the first heading that
// contains all the words, or "" if there is none.
func sectionAbout(page string, words []string) string {
	lines := strings.Split(page, "\n")
	level, from := 0, -1
	for i, line := range lines {
		marks := len(line) - len(strings.TrimLeft(line, "#"))
		if marks < 2 || marks > 4 {
			continue
		}
		if from >= 0 && marks <= level {
			return strings.TrimSpace(strings.Join(lines[from:i], "\n"))
		}
		heading := strings.FieldsFunc(strings.ToLower(line), func(char rune) bool { return strings.ContainsRune(" #`,.:()/", char) })
		if from < 0 && !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(heading, word) }) {
			level, from = marks, i
		}
	}
	if from < 0 {
		return ""
	}
	return strings.TrimSpace(strings.Join(lines[from:], "\n"))
}

func nearTopics(word string) string {
	if near := nearestCommand(word); near != "" {
		return "; did you mean " + near + "?"
	}
	near := slash.Suggest(word, topics())
	if len(near) == 0 {
		return ". Pages: " + strings.Join(topics(), ", ") + "."
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
