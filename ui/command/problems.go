package command

import (
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// problems executes /problems, which lists the problems that language servers report, so that the
// user can choose one. "/problems NUMBER" opens the problem with that number in the user's editor.
func problems(e *Engine, named string) {
	all := e.Talk.Diagnosed.Problems()
	if len(all) == 0 {
		e.say("No problems are known. Language servers report problems in files that were changed in coding mode; /lsp lists the running servers.")
		return
	}
	if named != "" {
		number, err := strconv.Atoi(named)
		if err != nil || number < 1 || number > len(all) {
			e.warn(fmt.Sprintf("Usage: /problems lists the problems in files, /problems NUMBER opens one; NUMBER is from 1 to %d.", len(all)))
			return
		}
		openProblem(e, all[number-1])
		return
	}
	items := make([]view.Item, len(all))
	for i, one := range all {
		items[i] = view.Item{Text: problemPlace(one) + "  " + oneLine(one.Text), Note: join(" · ", string(one.Severity), problemSource(one), counted(e, one.Path)), Preview: one.Text}
	}
	title := fmt.Sprintf("Problems in files (%d): press Enter to open one", len(all))
	if e.Front.Pick(Pick{List: view.List{Title: title, Items: items}, Chosen: func(at int) { openProblem(e, all[at]) }}) {
		return
	}
	var text strings.Builder
	path := ""
	for i, one := range all {
		if one.Path != path {
			path = one.Path
			fmt.Fprintf(&text, "%s (%s)\n", termsafe.Line(path), counted(e, path))
		}
		fmt.Fprintf(&text, "%3d. %s: %s: %s\n", i+1, problemPlace(one), one.Severity, oneLine(one.Text))
	}
	e.say("Problems in files:\n" + text.String() + "/problems NUMBER opens one.")
}

// counted describes how many problems a file has, for example "3 in this file".
func counted(e *Engine, path string) string {
	return fmt.Sprintf("%d in this file", e.Talk.Diagnosed.Count(path))
}

func problemPlace(one messages.CodeProblem) string {
	return fmt.Sprintf("%s:%d", termsafe.Line(one.Path), one.Line)
}

func problemSource(one messages.CodeProblem) string {
	return termsafe.Line(strings.TrimSpace(one.Source + " " + one.Code))
}

// openProblem opens the user's editor at a problem, or prints the problem if there is no terminal.
func openProblem(e *Engine, one messages.CodeProblem) {
	editAt(e, one.Path, one.Line, func() {
		e.say(fmt.Sprintf("%s: %s: %s (%s)", problemPlace(one), one.Severity, termsafe.String(one.Text), problemSource(one)))
	})
}
