package actors

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/tools"
)

// artifactLog is what the tools of a conversation and its sub-agents put out beyond what a
// model reads at once: with the conversation that is kept, or else as long as it lasts. It
// is safe for concurrent use; nil keeps nothing.
type artifactLog struct {
	home *persistence.Home
	kept *Kept
	once sync.Once
	all  *artifacts.Store
}

func (a *artifactLog) get() *artifacts.Store {
	if a == nil {
		return nil
	}
	a.once.Do(func() { a.all = artifacts.Of(a.home, a.kept.ID()) })
	return a.all
}

// artifactsListed is the answer to a list request.
type artifactsListed struct {
	told messages.Artifacts
	err  error
}

// artifacts lists the stored artifacts in a task, because they are on disk.
func (l *lookups) artifacts(c actor.Context) {
	log := l.state.conversation.artifacts
	task.Do(c, func() any {
		artifacts := log.get()
		told := messages.Artifacts{All: []messages.Artifact{}}
		for _, one := range artifacts.List() {
			told.All = append(told.All, messages.Artifact{
				Number: one.Number, Address: tools.ArtifactAddress(one.Number), Path: artifacts.Place(one.Number), Tool: one.Tool, Title: one.Title,
				At: one.At, Size: one.Size, Total: one.Total, Lines: one.Lines, Media: one.Media, Foreign: one.Foreign,
			})
		}
		return artifactsListed{told: told}
	}, func(panicked *task.Panicked) any { return artifactsListed{err: panicked} })
}

func (l *lookups) artifactsListed(message artifactsListed) {
	if message.err != nil {
		l.warned(message.err.Error())
		return
	}
	l.tell(message.told)
}

// artifactsEnded has the recorder remove artifacts.
type artifactsEnded struct{ artifacts *artifacts.Store }

// excess is what a result has beyond its limits.
type excess struct {
	artifacts *artifacts.Store
	about     artifacts.Artifact // what is known of it before the call ran
}

// keep limits a result. It stores what the limit cuts off, and each picture, as an artifact.
func (e excess) keep(output tools.Output) tools.Output {
	about := e.about
	if about.Foreign = about.Foreign || output.Strangers; about.Foreign {
		output.Text = tools.Unhidden(output.Text)
	}
	output.Text = tools.ResultLimits.KeepWhole(e.artifacts, about, output.Text)
	return keepPictures(e.artifacts, about, output)
}

// keepPictures keeps the pictures of a result, the same one once, and says where they can be
// seen again: they leave the view, and the file that one was read from may change.
func keepPictures(artifacts *artifacts.Store, about artifacts.Artifact, output tools.Output) tools.Output {
	output.Pictures = slices.Clone(output.Pictures)
	for i, picture := range output.Pictures {
		about.Media = picture.Type
		kept, err := artifacts.Put(about, picture.Data)
		if err != nil || kept.Number == 0 { // then it is seen this once
			continue
		}
		address := tools.ArtifactAddress(kept.Number)
		output.Pictures[i].Address = address
		if strings.Contains(output.Text, address) {
			continue
		}
		if output.Text != "" && !strings.HasSuffix(output.Text, "\n") {
			output.Text += "\n"
		}
		output.Text += fmt.Sprintf("[the picture is kept as %s: read_file shows it again]\n", address)
	}
	return output
}
