package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// artifacts is the command /artifacts, which shows tool outputs that were too long for a model.
type artifacts struct {
	*Env
	waits *pendingAnswers
}

// take executes /artifacts, which lists the stored outputs, or opens the output with the given
// number or address.
func (a artifacts) take(named string) {
	a.waits.kept = a.choose
	if named != "" {
		number, err := strconv.Atoi(strings.TrimPrefix(named, "artifact:"))
		if err != nil {
			a.warn("Usage: /artifacts lists the outputs that are stored in full, /artifacts NUMBER opens one.")
			return
		}
		a.waits.kept = func(all []messages.Artifact) { a.openNumber(all, number) }
	}
	a.ask("list the artifacts", messages.ListArtifacts{})
}

func (a artifacts) choose(all []messages.Artifact) {
	if len(all) == 0 {
		a.say("No output in this conversation was too long for the model. Long outputs are stored in full and listed here.")
		return
	}
	items := make([]view.Item, len(all))
	for i, one := range all {
		items[len(all)-1-i] = view.Item{Text: one.Address + "  " + artifactTitle(one), Note: join(" · ", measure(one), ago(a.Now(), one.At)), Words: one.Tool}
	}
	if a.Front.Pick(Pick{
		List:   view.List{Title: "Outputs that are stored in full: press Enter to open one", Items: items},
		Chosen: func(at int) { a.open(all[len(all)-1-at]) },
	}) {
		return
	}
	var text strings.Builder
	for _, one := range all {
		fmt.Fprintf(&text, "%3d. %s  %s  (%s, %s)\n", one.Number, one.Address, view.Cut(artifactTitle(one), 70), measure(one), one.At.Local().Format("15:04:05"))
	}
	a.say("Outputs that are stored in full; the model can read them at these addresses:\n" + text.String() + "/artifacts NUMBER opens one.")
}

func (a artifacts) openNumber(all []messages.Artifact, number int) {
	for _, one := range all {
		if one.Number == number {
			a.open(one)
			return
		}
	}
	a.warn(fmt.Sprintf("There is no artifact %d in this conversation, or its content is gone; /artifacts lists the existing ones.", number))
}

// open invokes the user's pager to show an artifact. For binary content, or without a terminal, it
// prints the artifact's path.
func (a artifacts) open(one messages.Artifact) {
	if one.Media != "" {
		a.say(one.Address + " (" + measure(one) + ") is in " + termsafe.Line(one.Path))
		return
	}
	err := a.Front.Suspend(func() error { return a.Host.Page(one.Path) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		a.say(one.Address + " (" + measure(one) + ") is in " + termsafe.Line(one.Path))
	case err != nil:
		a.fail(err)
	}
}

func artifactTitle(one messages.Artifact) string {
	if title := oneLine(one.Title); title != "" {
		return title
	}
	return termsafe.Line(one.Tool)
}

// measure describes an output by its number of lines, media type and size.
func measure(one messages.Artifact) string {
	text := messages.Bytes(one.Size)
	if one.Media != "" {
		text = termsafe.Line(one.Media) + ", " + text
	}
	if one.Lines > 0 {
		text = messages.Counted(one.Lines, "line") + ", " + text
	}
	if one.Total > one.Size {
		text += " of " + messages.Bytes(one.Total)
	}
	return text
}
