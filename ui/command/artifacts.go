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

// artifacts shows what tools put out beyond what a model reads at once: the person chooses
// one, or names it by its number or address.
func artifacts(e *Engine, named string) {
	e.onKept = func(all []messages.Artifact) { chooseArtifact(e, all) }
	if named != "" {
		number, err := strconv.Atoi(strings.TrimPrefix(named, "artifact:"))
		if err != nil {
			e.warn("Usage: /artifacts [NUMBER] lists the outputs that are kept whole, or opens one.")
			return
		}
		e.onKept = func(all []messages.Artifact) { openNumber(e, all, number) }
	}
	e.ask("list the artifacts", messages.ListArtifacts{})
}

// artifactsRead takes the list that was asked for.
func artifactsRead(e *Engine, all []messages.Artifact) {
	then := e.onKept
	if e.onKept = nil; then != nil {
		then(all)
	}
}

func chooseArtifact(e *Engine, all []messages.Artifact) {
	if len(all) == 0 {
		e.say("No output in this conversation was too long for the model; one that is will be kept whole, and listed here.")
		return
	}
	items := make([]view.Item, len(all))
	for i, one := range all {
		items[len(all)-1-i] = view.Item{Text: one.Address + "  " + artifactTitle(one), Note: join(" · ", measure(one), ago(e.Now(), one.At)), Words: one.Tool}
	}
	if e.Front.Pick(Pick{
		List:   view.List{Title: "Outputs that are kept whole: open which one?", Items: items},
		Chosen: func(at int) { openArtifact(e, all[len(all)-1-at]) },
	}) {
		return
	}
	var text strings.Builder
	for _, one := range all {
		fmt.Fprintf(&text, "%3d. %s  %s  (%s, %s)\n", one.Number, one.Address, view.Cut(artifactTitle(one), 70), measure(one), one.At.Local().Format("15:04:05"))
	}
	e.say("Outputs that are kept whole, and read by the model at their address:\n" + text.String() + "/artifacts NUMBER opens one.")
}

func openNumber(e *Engine, all []messages.Artifact, number int) {
	for _, one := range all {
		if one.Number == number {
			openArtifact(e, one)
			return
		}
	}
	e.warn(fmt.Sprintf("There is no artifact %d in this conversation, or its content is gone; /artifacts lists those that there are.", number))
}

// openArtifact gives one to the person's pager. Without a terminal, and of what is no text, it
// says where it is.
func openArtifact(e *Engine, one messages.Artifact) {
	if one.Media != "" {
		e.say(one.Address + " (" + measure(one) + ") is in " + termsafe.Line(one.Path))
		return
	}
	err := e.Front.Suspend(func() error { return e.Host.Page(one.Path) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		e.say(one.Address + " (" + measure(one) + ") is in " + termsafe.Line(one.Path))
	case err != nil:
		e.fail(err)
	}
}

func artifactTitle(one messages.Artifact) string {
	if title := oneLine(one.Title); title != "" {
		return title
	}
	return termsafe.Line(one.Tool)
}

// measure is how much there is of one.
func measure(one messages.Artifact) string {
	text := bytesOf(one.Size)
	if one.Media != "" {
		text = termsafe.Line(one.Media) + ", " + text
	}
	if one.Lines > 0 {
		text = fmt.Sprintf("%d lines, %s", one.Lines, text)
	}
	if one.Total > one.Size {
		text += " of " + bytesOf(one.Total)
	}
	return text
}

func bytesOf(size int64) string {
	switch {
	case size < 10_000:
		return fmt.Sprintf("%d bytes", size)
	case size < 10_000_000:
		return fmt.Sprintf("%d KB", size/1000)
	}
	return fmt.Sprintf("%d MB", size/1_000_000)
}
